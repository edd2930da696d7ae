import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DefaultTheme, defineConfig } from "vitepress";
import { ENGLISH, type Group, PORTUGUESE, routeOf } from "../sidebar.ts";

const root = join(import.meta.dirname, "../../..");
const pages = join(root, "reports/pages");
const { name, description } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const github = process.env["DOCS_REPOSITORY"] ?? "";

/** A node of the navigation that TypeDoc writes. */
interface Reference {
  readonly path?: string;
  readonly children?: readonly Reference[];
}

/** The entries of the package, without their members: the sidebar is a part of every page. */
function entriesOf({ path, children = [] }: Reference): DefaultTheme.SidebarItem[] {
  const items = path?.endsWith("/index.md")
    ? [{ text: path.replace("/index.md", ""), link: `/reference/${path}` }]
    : [];
  return [...items, ...children.flatMap(entriesOf)];
}

function sidebarGroup({ text, files }: Omit<Group, "portuguese">): DefaultTheme.SidebarItem {
  const items = files
    .filter((file) => existsSync(join(root, file)))
    .map((file) => ({ text: titleOf(file), link: `/${routeOf(file)}` }));
  return { text, items };
}

const titleOf = (file: string) => /^# (.+)$/m.exec(readFileSync(join(root, file), "utf8"))?.[1] ?? file;

const HTTP_API = { link: "/openapi.html", target: "_self" };
const english = ENGLISH.map(sidebarGroup);
english.find(({ text }) => text === "The service")?.items?.push({ text: "HTTP API", ...HTTP_API });
const inEnglish = ENGLISH.map((group, at) => ({ ...english[at], text: group.portuguese, collapsed: true }));
const reference = {
  text: "API reference",
  collapsed: true,
  items: JSON.parse(readFileSync(join(pages, "reference.json"), "utf8")).flatMap(entriesOf),
};

export default defineConfig({
  title: name,
  description,
  srcDir: pages,
  srcExclude: ["public/**"],
  outDir: join(root, "reports/site"),
  cacheDir: join(import.meta.dirname, "node_modules/.cache"),
  ignoreDeadLinks: "localhostLinks", // the others fail the build
  base: process.env["DOCS_BASE"] ?? "/",
  head: [["link", { rel: "icon", href: "data:," }]],
  markdown: {
    // The anchors that GitHub gives headings: the pages are read there, too.
    anchor: {
      slugify: (text) =>
        text
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
          .replaceAll(" ", "-"),
    },
  },
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  locales: {
    root: { label: "English", lang: "en" },
    pt: {
      label: "Português",
      lang: "pt-BR",
      themeConfig: {
        nav: [
          { text: "Loja até sexta", link: "/pt/loja-ate-sexta" },
          { text: "Erros", link: "/pt/erros" },
          { text: "Plantão", link: "/pt/plantao" },
          { text: "Referência da API", link: "/reference/" },
        ],
        outline: { level: [2, 3], label: "Nesta página" },
        docFooter: { prev: "Anterior", next: "Próxima" },
        darkModeSwitchLabel: "Aparência",
        lightModeSwitchTitle: "Mudar para o tema claro",
        darkModeSwitchTitle: "Mudar para o tema escuro",
        sidebarMenuLabel: "Menu",
        returnToTopLabel: "Voltar ao topo",
        langMenuLabel: "Mudar o idioma",
        skipToContentLabel: "Pular para o conteúdo",
        notFound: {
          title: "PÁGINA NÃO ENCONTRADA",
          quote: "Esta página não existe ou mudou de endereço.",
          linkLabel: "Ir para o início",
          linkText: "Ir para o início",
        },
      },
    },
  },
  themeConfig: {
    i18nRouting: false, // few pages are in both languages: the switch leads to the other home page
    nav: [
      { text: "Errors", link: "/errors" },
      { text: "On call", link: "/on-call" },
      { text: "API reference", link: "/reference/" },
      { text: "HTTP API", ...HTTP_API },
    ],
    sidebar: {
      "/": [...english, reference],
      "/pt/": [
        ...PORTUGUESE.map(sidebarGroup),
        { text: "Em inglês", items: [...inEnglish, { ...reference, text: "Referência da API" }] },
      ],
    },
    outline: { level: [2, 3] },
    socialLinks: [{ icon: "github", link: github }],
    search: {
      provider: "local",
      options: {
        // Of the API reference, only names and descriptions: tables of properties would double the index.
        _render(text, env, markdown) {
          const isReference = env.relativePath.startsWith("reference/");
          return markdown.render(isReference ? (text.split(/^## /m)[0] ?? "") : text, env);
        },
        locales: {
          pt: {
            translations: {
              button: { buttonText: "Buscar", buttonAriaLabel: "Buscar" },
              modal: {
                displayDetails: "Mostrar detalhes",
                resetButtonTitle: "Limpar a busca",
                backButtonTitle: "Fechar a busca",
                noResultsText: "Nenhum resultado para",
                footer: {
                  selectText: "abrir",
                  selectKeyAriaLabel: "Enter",
                  navigateText: "navegar",
                  navigateUpKeyAriaLabel: "seta para cima",
                  navigateDownKeyAriaLabel: "seta para baixo",
                  closeText: "fechar",
                  closeKeyAriaLabel: "Esc",
                },
              },
            },
          },
        },
      },
    },
  },
});

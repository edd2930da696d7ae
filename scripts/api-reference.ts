import { join } from "node:path";
import { Application, Logger, LogLevel, type TypeDocOptions } from "typedoc";

const root = join(import.meta.dirname, "..");

const options: Partial<TypeDocOptions> = {
  name: "payments-sdk",
  entryPoints: [
    "src/index.ts",
    "src/browser.ts",
    "src/postbacks.ts",
    "src/idempotency.ts",
    "src/node.ts",
    "src/sandbox.ts",
    "src/sandbox-server.ts",
    "src/msw.ts",
  ].map((entry) => join(root, entry)),
  tsconfig: join(root, "tsconfig.build.json"),
  readme: join(root, "README.md"),
  projectDocuments: [join(root, "docs/*.md"), join(root, "docs/decisions/*.md")],
  sortEntryPoints: false,
  sort: ["kind", "source-order"],
  kindSortOrder: [
    "Module",
    "Class",
    "Function",
    "Variable",
    "Interface",
    "TypeAlias",
    "Reference",
    "Document",
  ],
  navigation: { includeFolders: false, excludeReferences: true },
  customCss: join(import.meta.dirname, "api-reference.css"),
  locales: { en: { tag_remarks: "What to do" } },
  skipErrorChecking: true, // the compiler has its own test
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  disableSources: true, // the package names no host that a link could lead to
  highlightLanguages: [
    ..."typescript javascript tsx json jsonc http html sql yaml toml sh bash diff text".split(" "),
  ],
  markdownItLoader: codeIsPartOfAnchors,
  validation: {
    notExported: true,
    invalidLink: true,
    notDocumented: true,
    unusedMergeModuleWith: true,
    rewrittenLink: true,
    invalidPath: false, // links from page to page are looked at where the pages are: test/docs/links.test.ts
  },
};

/** Keeps what TypeDoc complains about. */
class Complaints extends Logger {
  readonly all: string[] = [];

  override log(message: string, level: LogLevel): void {
    if (level >= LogLevel.Warn) this.all.push(message);
  }
}

/**
 * Writes the reference of all entries, with the README in front and the pages behind, as HTML.
 *
 * @returns what is wrong with it: an undocumented name, a link to nowhere, a type that nobody can name.
 */
export async function writeApiReference(out: string): Promise<readonly string[]> {
  const app = await Application.bootstrap(options);
  const complaints = new Complaints();
  app.logger = complaints;
  const project = await app.convert();
  if (project === undefined) return [...complaints.all, "The source could not be read."];
  app.validate(project);
  await app.generateDocs(project, out);
  return complaints.all;
}

interface Token {
  type: string;
  content: string;
  children: Token[] | null;
}

interface ParserState {
  readonly tokens: Token[];
  readonly Token: new (type: string, tag: string, nesting: -1 | 0 | 1) => Token;
}

interface MarkdownParser {
  readonly core: {
    readonly ruler: { after(rule: string, name: string, run: (state: ParserState) => void): void };
  };
}

/** TypeDoc makes the anchor of a heading of its text alone; everybody else counts `code` in it, too. */
function codeIsPartOfAnchors(parser: MarkdownParser): void {
  parser.core.ruler.after("inline", "code-in-headings", ({ tokens, Token }) => {
    for (const [at, { type }] of tokens.entries()) {
      const heading = type === "heading_open" ? tokens[at + 1] : undefined;
      if (heading?.children) heading.children = heading.children.flatMap((token) => spelledOut(token, Token));
    }
  });
}

function spelledOut(token: Token, New: ParserState["Token"]): Token[] {
  if (token.type !== "code_inline") return [token];
  const text = new New("text", "", 0);
  text.content = token.content;
  return [new New("code_open", "code", 1), text, new New("code_close", "code", -1)];
}

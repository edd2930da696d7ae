import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import "payments-sdk/elements/vue";
import type { Sandbox } from "payments-sdk/sandbox/server";
import type { Page } from "playwright";
import { expect, onTestFinished, test, vi } from "vitest";
import { createSSRApp, h } from "vue";
import { renderToString } from "vue/server-renderer";
import { start } from "../../sandbox/support/running.ts";
import { fillCard, useBrowser, visit } from "../../support/browsing.ts";
import { freePort, root, run } from "../../support/running.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { appFilesIn, sampleFor } from "../docs/documented-site.ts";
import { succeed } from "../support/consumer.ts";
import { useProject, withMatrix } from "../support/matrix.ts";

useBrowser();
const project = useProject();
vi.setConfig({ hookTimeout: 120_000 }); // they delete thousands of files

test("a server renders the texts that are set on an element, and nothing of other values", async () => {
  const props = { "base-url": "https://api.example", "tokenizer-options": { timeout: 5_000 } };

  const html = await renderToString(createSSRApp({ render: () => h("payment-card-form", props) }));

  expect(html).toBe('<payment-card-form base-url="https://api.example"></payment-card-form>');
});

interface App {
  readonly docs: string;
  readonly packages: readonly string[];
  /** Where the documentation puts `Checkout`, the files next to it, and the server. */
  readonly page: string;
  readonly server: string;
  /** A route in the documentation, which says that the others are alike. */
  readonly route: string;
  /** The file of a route. */
  readonly toRoute: (name: string, method: string) => string;
  /** Adds a description to `Checkout`, from the query of the request, as pages of shops have one. */
  readonly withDescription: (checkout: string) => string;
  /** What a new project has. */
  readonly files: Readonly<Record<string, string>>;
  readonly build: readonly (readonly [command: string, ...args: string[]])[];
  readonly built: string;
}

const NUXT: App = {
  docs: "vue.md",
  packages: ["nuxt@4.5.2", "vue@3.5.45"],
  page: "app/app.vue",
  server: "server",
  route: "server/routes/pay.post.ts",
  toRoute: (name, method) => `server/routes/${name}.${method.toLowerCase()}.ts`,
  withDescription: (checkout) =>
    checkout.replace("</script>", "useSeoMeta({ description: String(useRoute().query.q) });\n</script>"),
  files: { "public/favicon.ico": "" },
  build: [["nuxt", "build"]],
  built: ".output/server/index.mjs",
};

const APP_HTML = `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,">%sveltekit.head%</head>
<body data-sveltekit-preload-data="hover"><div style="display: contents">%sveltekit.body%</div></body></html>`;

const SVELTE_KIT: App = {
  docs: "svelte.md",
  packages: [
    ...["@sveltejs/kit@3.2.0", "@sveltejs/adapter-node@6.0.1", "@sveltejs/vite-plugin-svelte@7.3.1"],
    ...["svelte@5.57.3", "vite@8.3.8", "svelte-check@4.7.8", "typescript@6.0.3", "@types/node@24.19.2"],
  ],
  page: "src/routes/+page.svelte",
  server: "src/lib/server",
  route: "src/routes/pay/+server.ts",
  toRoute: (name) => `src/routes/${name}/+server.ts`,
  withDescription: (checkout) =>
    `${checkout.replace('lang="ts">', '$&import { page } from "$app/state";')}
    <svelte:head><meta name="description" content={page.url.searchParams.get("q")} /></svelte:head>`,
  files: {
    "src/app.html": APP_HTML,
    "tsconfig.json": '{ "extends": "$app/tsconfig", "include": ["src", "*"] }',
  },
  build: [
    ["svelte-kit", "sync"],
    ["svelte-check", "--tsconfig", "./tsconfig.json", "--fail-on-warnings"],
    ["vite", "build"],
  ],
  built: "build/index.js",
};

/** Builds the app of a page of the documentation for production, and returns its folder. */
async function build(app: App, service: string) {
  const { docs, packages, page, server, route, toRoute, withDescription, files, build } = app;
  const folder = await project.installTools(...packages, project.tarball);
  const documented = appFilesIn(docs, service);
  const checkout = withDescription(sampleFor(`Checkout${extname(page)}`, service));
  const all = new Map([...Object.entries(files), ...documented, [page, checkout]]);
  const pay = documented.get(route) ?? "";
  for (const [name, method] of [
    ["pix", "POST"],
    ["postbacks", "POST"],
    ["status", "GET"],
  ] as const) {
    all.set(toRoute(name, method), pay.replaceAll(/\bpay\b/g, name).replace("POST", method));
  }
  for (const [name, text] of all) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const samples = { "shop.ts": dirname(page), "checkout.css": dirname(page), "shop-routes.ts": server };
  for (const [name, to] of Object.entries(samples)) {
    mkdirSync(join(folder, to), { recursive: true });
    copyFileSync(join(root, "docs/samples", name), join(folder, to, name));
  }
  for (const [command, ...args] of build)
    await succeed(join(folder, "node_modules/.bin", command), args, folder);
  return folder;
}

/** Starts the built app, for a new order. */
async function serve({ built }: App, folder: string, { baseUrl, secretKey, publicKey }: Sandbox) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const data = temporaryFolder();
  const server = run("node", [join(folder, built)], data, {
    PAYMENTS_BASE_URL: baseUrl,
    PAYMENTS_SECRET_KEY: secretKey,
    PAYMENTS_PUBLIC_KEY: publicKey,
    PAYMENTS_POSTBACK_SECRET: "x".repeat(32),
    SHOP_DATABASE: join(data, "shop.db"),
    SHOP_URL: url,
    PORT: port,
  });
  onTestFinished(server.kill);
  await server.printed(/Listening/);
  return { url, server };
}

async function payByCard(page: Page, number: string): Promise<void> {
  await fillCard(page, number);
  await page.getByRole("button", { name: "Pay R$" }).click();
}

test.each(
  withMatrix<[string, App]>(
    [],
    [
      ["Nuxt", NUXT],
      ["SvelteKit", SVELTE_KIT],
    ],
  ),
)(
  "a production build of %s renders the page on the server, hydrates it in silence under its policy, runs no script of a visitor, and takes a pix and a card",
  async (_, app) => {
    vi.stubEnv("NODE_ENV", "production");
    for (const name of ["NUXT_TELEMETRY_DISABLED", "DO_NOT_TRACK"]) vi.stubEnv(name, "1");
    const sandbox = await start();
    const folder = await build(app, sandbox.baseUrl);
    const { url, server } = await serve(app, folder, sandbox);
    const { page, browserErrors, hosts } = await visit(url);

    await payByCard(page, "4000000000009995");
    await page.getByText("declined").waitFor();
    await page.getByRole("button", { name: "Pay with pix" }).click();
    await page.locator(".payment-pix-code").waitFor();
    sandbox.gateway.pay(sandbox.gateway.transactions.at(-1)?.id ?? 0);
    await page.getByText("Payment confirmed").waitFor();

    expect(await page.locator("form").isVisible()).toBe(false);
    sandbox.gateway.resendPostback(sandbox.gateway.deliveries.at(-1)?.id ?? 0);
    await sandbox.gateway.settled();
    expect(sandbox.gateway.deliveries.map(({ status }) => status)).not.toContain("failed");
    expect(server.stdout().match(/paid, ship it/g)).toHaveLength(1);
    const rendered = await fetch(url);
    expect(rendered.headers.get("content-security-policy")).toContain("'nonce-");
    expect(await rendered.text()).toContain(`<payment-card-form base-url="${sandbox.baseUrl}"`);

    const script = "<script ><script>window.isInjected = true</script>";
    const { page: injected, browserErrors: injectedErrors } = await visit(
      `${url}?q=${encodeURIComponent(script)}`,
    );
    await injected.getByLabel("Card number").waitFor();
    expect(await injected.locator("meta[name=description]").getAttribute("content")).toBe(script);
    expect(await injected.evaluate(() => "isInjected" in window)).toBe(false);

    const other = await serve(app, folder, sandbox);
    const { page: otherPage, browserErrors: otherErrors } = await visit(other.url);
    await payByCard(otherPage, "4111111111111111");
    await otherPage.getByText("Paid. Thank you!").waitFor();
    expect(sandbox.gateway.transactions.map(({ status }) => status)).toEqual([
      "refused",
      "approved",
      "approved",
    ]);
    expect([...browserErrors, ...injectedErrors, ...otherErrors]).toEqual([]);
    expect([...hosts].sort()).toEqual([new URL(url).host, new URL(sandbox.baseUrl).host].sort());
  },
);

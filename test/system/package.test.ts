import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { linksOf } from "../docs/support/links-of-page.ts";
import { run } from "../support/running.ts";
import { QUIET, tool } from "../support/tool.ts";
import { type Consumer, installPackage } from "./support/consumer.ts";

let consumer: Consumer;

beforeAll(async () => {
  consumer = await installPackage();
});
afterAll(() => consumer.remove());

const installed = () => join(consumer.folder, "node_modules/payments-sdk");

describe("the tarball", () => {
  test("holds the build, its source, and the pages that belong to every package", () => {
    const page = (name: string) => `docs/${name}.md`;
    const recipe = (name: string) => `examples/postbacks/${name}`;

    const others = consumer.files.filter((file) => !/^((dist|src)|docs\/decisions)\//.test(file));

    expect(others).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "README.pt-BR.md",
      "SECURITY.md",
      ...["client", "curl", "errors", "going-live", "idempotency", "observability", "pci"].map(page),
      ...["postbacks", "refused-cards", "runtimes", "sandbox", "scale", "specification"].map(page),
      ...["speed", "stores", "testing", "timeouts", "tokenization"].map(page),
      ...["README.md", "express.ts", "fastify.ts", "hono.ts", "next-route.ts", "node-http.ts"].map(recipe),
      ...["settle-order.ts", "signer-from-env.ts"].map(recipe),
      "package.json",
    ]);
  });

  test("holds what its pages link to, but for what is of use in a clone only", () => {
    const pages = consumer.files.filter((file) => file.endsWith(".md") && file !== "CHANGELOG.md");
    const targets = pages.flatMap(linksOf).map(({ path }) => path);

    const isThere = (path: string) =>
      consumer.files.some((file) => file === path || file.startsWith(`${path}/`));
    const lost = new Set(targets.filter((path) => !isThere(path)));
    expect([...lost].sort()).toEqual(["CONTRIBUTING.md", "bench/results.md", "examples/checkout/README.md"]);
  });

  test("holds nothing but code, declarations, their maps, the hashes and the licences", () => {
    const code = consumer.files.filter((file) => /^(dist|src)\//.test(file));

    const others = code.filter((file) => !/^(dist\/.+\.(js|d\.ts)(\.map)?|src\/.+\.(tsx?|css))$/.test(file));
    expect(others).toEqual(["dist/sri.json", "dist/third-party-licenses.txt"]);
    expect(code).toEqual(
      expect.arrayContaining(["dist/index.js", "dist/index.d.ts", "dist/browser.global.js", "src/index.ts"]),
    );
  });

  test("holds the licence of every package that is compiled in", () => {
    const licenses = readFileSync(join(installed(), "dist/third-party-licenses.txt"), "utf8");

    const named = licenses.split(/^-{80}$/m).map((license) => /^\s*(\S+) \d+\./.exec(license)?.[1]);
    expect(named).toEqual(["jose", "lean-qr", "preact", "zod"]);
    expect(licenses.match(/Permission is hereby granted/g)).toHaveLength(named.length);
  });

  test("has every file that a map leads to", () => {
    const maps = consumer.files.filter((file) => file.endsWith(".map"));
    const lost = maps.flatMap((map) => {
      const { sources } = JSON.parse(readFileSync(join(installed(), map), "utf8")) as { sources: string[] };
      const own = sources.filter((source) => !/node_modules|^bundled-text:/.test(source));
      return own.filter((source) => !existsSync(join(installed(), dirname(map), source)));
    });

    expect(maps.length).toBeGreaterThan(10);
    expect(lost).toEqual([]);
  });

  test("is what publint asks of a package", async () => {
    const { code, stdout } = await tool("publint", ["--strict", consumer.tarball]);

    expect(code, stdout).toBe(0);
  });

  test("resolves for every module system of its profile", async () => {
    // The file for <script> is loaded by a page, not imported: nobody looks for its types.
    const { code, stdout } = await tool("attw", [
      consumer.tarball,
      ...["--profile", "esm-only"],
      ...["--exclude-entrypoints", "browser.global.js"],
    ]);

    expect(code, stdout).toBe(0);
  });
});

describe("a consumer", () => {
  const nodenext = { module: "nodenext", moduleResolution: "nodenext" };
  const bundler = { module: "esnext", moduleResolution: "bundler" };
  const onNode = { types: ["node"], lib: ["es2023"] };
  const inPages = { types: [], lib: ["es2023", "dom", "dom.iterable"] };

  /** Uses every entry; the error that it expects shows that the types are there, and are not `any`. */
  const program = `
    import { PaymentsClient, type PixTransaction } from "payments-sdk";
    import { type CardBrand, cardBrand, type CardToken, CardTokenizer } from "payments-sdk/browser";
    import {
      type IdempotencyStore, memoryStore, type PaymentsStore, postgresStore, redisStore, sqliteStore, type UnresolvedOrder,
    } from "payments-sdk/idempotency";
    import {
      createPostbackHandler, parsePostback, type PostbackHandler, PostbackUrlSigner, type Transition, checkTransition,
    } from "payments-sdk/postbacks";
    import { type NodeTransport, nodeTransport, type NodeTransportOptions } from "payments-sdk/node";
    import { createGateway } from "payments-sdk/sandbox";
    import { startSandbox } from "payments-sdk/sandbox/server";

    const gateway = createGateway();
    const payments = new PaymentsClient({
      baseUrl: gateway.baseUrl,
      fetch: (url, init) => gateway.fetch(new Request(url, init)),
    });
    const options: NodeTransportOptions = { maxSockets: 8 };
    const transport: NodeTransport = nodeTransport(options);
    export const fast = new PaymentsClient({ fetch: transport });
    transport.close();
    export const pix: Promise<PixTransaction> = payments.transactions.createPix({
      amount: 1990,
      customer: { name: "Maria", email: "maria@example.com", document: { type: "cpf", number: "52998224725" } },
    });
    export const token: Promise<CardToken> = new CardTokenizer({ publicKey: gateway.publicKey }).tokenize({
      number: "4111 1111 1111 1111",
      holderName: "Maria Exemplo",
      expirationMonth: 12,
      expirationYear: 2040,
      cvv: "123",
    });
    export const brand: CardBrand | undefined = cardBrand("4111");
    export const id: number = parsePostback("{}").id;
    export const closed: Promise<void> = startSandbox().then((sandbox) => sandbox.close());
    const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: new Uint8Array(32) }] });
    export const signing = new PaymentsClient({ postbackSigner: signer, idempotency: memoryStore() });
    export const store = sqliteStore("payments.db") satisfies IdempotencyStore;
    declare const pool: { query(text: string, values: string[]): Promise<{ rows: object[] }> };
    declare const redis: {
      eval(script: string, count: number, ...rest: string[]): Promise<unknown>;
      scan(cursor: string, match: "MATCH", pattern: string, count: "COUNT", keys: number): Promise<unknown>;
    };
    export const stores: PaymentsStore[] = [postgresStore(pool), redisStore(redis)];
    export async function listed(): Promise<UnresolvedOrder[]> {
      const orders: UnresolvedOrder[] = [];
      for await (const order of store.unresolved({ olderThanMs: 60_000 })) orders.push(order);
      return orders;
    }
    // @ts-expect-error
    redisStore(pool);
    export const handler: PostbackHandler = createPostbackHandler({
      signer,
      store,
      onPostback: (postback, { transition }) => [postback.status satisfies string, transition satisfies Transition],
    });
    export const transition: Transition = checkTransition("approved", "pending");
    // @ts-expect-error
    createPostbackHandler({ onPostback: () => undefined });
    // @ts-expect-error
    export const amount: string = parsePostback("{}").amount;
  `;
  /** msw's own declarations need those of the DOM. */
  const mocked = `${program}
    import { setupServer } from "msw/node";
    import { handlers } from "payments-sdk/msw";
    export const server = setupServer(...handlers(gateway), ...handlers("https://api.example.com"));
  `;

  test.each([
    ["nodenext, on Node", { ...nodenext, ...onNode }, program],
    ["nodenext, with the DOM", { ...nodenext, ...inPages }, mocked],
    ["bundler, on Node", { ...bundler, ...onNode }, program],
    ["bundler, with the DOM", { ...bundler, ...inPages }, mocked],
  ])("type-checks with all declarations: %s", async (_title, options, code) => {
    const checked = { ...options, strict: true, skipLibCheck: false, noEmit: true };
    consumer.write("program.mts", code);

    for (const exactOptionalPropertyTypes of [true, false]) {
      const compilerOptions = { ...checked, exactOptionalPropertyTypes };
      consumer.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["program.mts"] }));

      expect(await tool("tsc", ["-p", consumer.folder])).toEqual(QUIET);
    }
  });

  test("can require() it, and gets what import gives", async () => {
    const seen = await consumer.evaluate(
      `const required = require("payments-sdk");
       import("payments-sdk").then((imported) =>
         console.log(JSON.stringify([typeof required.PaymentsClient, required === imported])));`,
      "commonjs",
    );

    expect(seen).toEqual(["function", true]);
  });

  test("finds one class of an error behind all entries", async () => {
    const seen = await consumer.evaluate(
      `import * as sdk from "payments-sdk";
       import * as browser from "payments-sdk/browser";
       import { InvalidPostbackError, parsePostback } from "payments-sdk/postbacks";
       let caught;
       try { parsePostback("{"); } catch (error) { caught = error; }
       console.log(JSON.stringify([
         caught instanceof sdk.PaymentsError, caught instanceof sdk.InvalidPostbackError,
         InvalidPostbackError === sdk.InvalidPostbackError, caught instanceof sdk.ApiError,
         browser.CardToken === sdk.CardToken, browser.ValidationError === sdk.ValidationError,
       ]));`,
      "module",
    );

    expect(seen).toEqual([true, true, true, false, true, true]);
  });

  test.each([
    ["index.js", ["jose/jwt/decode", "ky"]],
    ["browser.js", ["jose/jwt/decode"]],
    ["postbacks.js", ["jose/base64url", "jose/errors", "jose/jwt/sign", "jose/jwt/verify"]],
    ["idempotency.js", []],
    ["node.js", ["node:async_hooks", "node:net", "node:zlib"]],
    ["sandbox.js", []],
    ["sandbox-server.js", ["node:http", "node:stream", "node:stream/promises"]],
    ["payments-sandbox.js", ["node:fs", "node:http", "node:stream", "node:stream/promises", "node:util"]],
    ["msw.js", ["msw/http"]],
    ["msw-on-node.js", ["msw/http"]],
  ])("loads with %s no other packages than %j", async (entry, packages) => {
    const { metafile } = await build({
      entryPoints: [join(installed(), "dist", entry)],
      bundle: true,
      packages: "external",
      format: "esm",
      write: false,
      metafile: true,
      logLevel: "silent",
    });
    const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports);

    expect([...new Set(outside.map(({ path }) => path))].sort()).toEqual(packages);
  });

  test("is told by the bundler when it takes the server of the sandbox into a page", async () => {
    const bundled = build({
      stdin: { contents: 'import "payments-sdk/sandbox/server";', resolveDir: consumer.folder },
      bundle: true,
      platform: "browser",
      write: false,
      logLevel: "silent",
    });

    await expect(bundled).rejects.toThrow(/payments-sdk\/sandbox\/server/);
  });
});

test("npx payments-sandbox starts the sandbox where the package is installed", async () => {
  const npx = run("npx", ["payments-sandbox", "--port", "0"], consumer.folder);
  onTestFinished(npx.kill);

  const [, baseUrl] = await npx.printed(/Base URL +(http:\S+)\n/);

  expect((await fetch(`${baseUrl}/api/v1/status`)).status).toBe(200);
});

import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { root, run } from "../support/running.ts";
import { install, type Packed, pack, succeed } from "./support/consumer.ts";

const PACKAGE = "payments-sdk";
const LICENSES = ["0BSD", "Apache-2.0", "ISC", "MIT"];

const consumer = mkdtempSync(join(tmpdir(), "payments-sdk-consumer-"));
const installed = join(consumer, "node_modules", PACKAGE);
let packed: Packed;

beforeAll(async () => {
  packed = await pack(consumer);
  await install(packed.tarball, consumer);
  return () => rmSync(consumer, { recursive: true, force: true });
});

const manifestOf = (name: string, project = consumer) =>
  JSON.parse(readFileSync(join(project, "node_modules", name, "package.json"), "utf8"));

describe("the tarball", () => {
  test("contains only the build and the documentation", () => {
    const topLevel = new Set(packed.files.map((file) => file.split("/")[0]));

    expect([...topLevel].sort()).toEqual([
      ...["CHANGELOG.md", "LICENSE", "README.md", "README.pt-BR.md"],
      ...["dist", "docs", "examples", "package.json", "skills"],
    ]);
    const code = packed.files.filter((file) => file.startsWith("dist/"));
    const others = code.filter((file) => !/\.(js|d\.ts|global\.js\.map)$/.test(file));
    expect(others).toEqual([
      ...["dist/elements-brands.css", "dist/elements.css", "dist/sri.json"],
      "dist/third-party-licenses.txt",
    ]);
    const pages = packed.files.filter((file) => /^(docs|examples)\//.test(file));
    const expected =
      /^(docs\/(.+\.(md|png|svg)|samples\/([\w-]+\/)?[\w.-]+\.(css|m?js|jsonc|sql|svelte|tsx?|vue|yaml)|openapi\.json)|examples\/next\/(?!node_modules|\.next\/).+|examples\/postbacks\/[\w-]+\.(ts|md))$/;
    expect(pages.filter((file) => !expected.test(file))).toEqual([]);
  });

  test("contains every file that its pages link to", () => {
    const links = packed.files
      .filter((file) => file.endsWith(".md"))
      .flatMap((page) => {
        const text = readFileSync(join(installed, page), "utf8").replaceAll(
          /^( *)(```+).*?^\1\2$|`[^`\n]+`/gms,
          "",
        );
        const targets = text.matchAll(/\]\((?![a-z]+:)([^)#\s]+)/g);
        return Array.from(targets, ([, target = ""]) => join(dirname(page), target));
      });

    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
  });

  test("contains a skill for coding agents, of a page, with the front matter that they read", () => {
    const skills = packed.files.filter((file) => file.startsWith("skills/"));
    expect(skills).toEqual([`skills/${PACKAGE}/SKILL.md`]);

    const text = readFileSync(join(installed, `skills/${PACKAGE}/SKILL.md`), "utf8");

    // As agentskills.io specifies it: the name of the folder, and at most 1,024 characters.
    expect(text).toMatch(/^---\nname: payments-sdk\ndescription: [^:\n]{20,1024}\n---\n/);
    expect(text.split("\n").length).toBeLessThanOrEqual(70);
    expect(text.match(/\]\(\.\.\/\.\.\//g)?.length).toBeGreaterThan(10);
  });

  test("is at most 4.5 MB, and its maps of minified files contain their sources", () => {
    const sizes = packed.files.map((file) => statSync(join(installed, file)).size);
    const maps = packed.files.filter((file) => file.endsWith(".map"));
    const contents = maps.flatMap(
      (map): (string | null)[] => JSON.parse(readFileSync(join(installed, map), "utf8")).sourcesContent,
    );

    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(4_500_000);
    expect(maps).toEqual(["dist/browser.global.js.map", "dist/elements.global.js.map"]);
    expect(contents.length).toBeGreaterThan(50);
    expect(contents).not.toContain(null);
  });

  test("contains the license of every bundled package, in the tested version", () => {
    const licenses = readFileSync(join(installed, "dist/third-party-licenses.txt"), "utf8");
    const bundled = Array.from(licenses.matchAll(/^(\S+) (\d+\.\S+)\n\n/gm), ([, ...found]) => found);

    const names = "@hono/node-server commander csv-parse hono lean-qr preact zod";
    expect(bundled.map(([name]) => name).join(" ")).toBe(names);
    expect(licenses.match(/Permission is hereby granted/g)).toHaveLength(bundled.length);
    for (const [name = "", version] of bundled) {
      const manifest = manifestOf(name, root);
      expect(manifest).toMatchObject({ version });
      expect(LICENSES).toContain(manifest.license);
    }
  });
});

describe("the installed packages", () => {
  /** The names of all packages that npm installs for the tarball. */
  const names = () =>
    globSync("{@*/,}*/package.json", { cwd: join(consumer, "node_modules") }).map((file) => dirname(file));

  test("are this package, ky and jose, in the tested versions", () => {
    const manifest = manifestOf(PACKAGE);
    const versionOf = (name: string) => manifestOf(name, root).version;

    expect(names().sort()).toEqual(["jose", "ky", PACKAGE]);
    expect(manifest.dependencies).toEqual({ jose: versionOf("jose"), ky: versionOf("ky") });
    expect(manifest).not.toHaveProperty("optionalDependencies");
    expect(manifest.peerDependencies).toEqual({ msw: ">=2", react: ">=17" });
    expect(manifest.peerDependenciesMeta).toEqual({ msw: { optional: true }, react: { optional: true } });
  });

  test("have no install scripts, permissive licenses, and a license file each", () => {
    for (const name of names()) {
      const { scripts = {}, license } = manifestOf(name);
      const filesLike = (pattern: string) => globSync(pattern, { cwd: join(consumer, "node_modules", name) });

      expect(Object.keys(scripts).filter((one) => /^(pre|post)?install$/.test(one))).toEqual([]);
      expect(filesLike("binding.gyp"), name).toEqual([]);
      expect(LICENSES, name).toContain(license);
      expect(filesLike("{LICENSE,LICENCE,license}*"), name).toHaveLength(1);
    }
    expect(manifestOf(PACKAGE).scripts).not.toHaveProperty("prepare"); // it would run for a git dependency
  });
});

describe("a consumer", () => {
  const evaluate = async (code: string, inputType: "module" | "commonjs"): Promise<unknown> =>
    JSON.parse(await succeed("node", [`--input-type=${inputType}`, "--eval", code], consumer));

  test("can resolve exactly the public entries", async () => {
    const entries = [
      ...["", "/browser", "/browser.global.js", "/elements"],
      ...["/elements-brands.css", "/elements.css", "/elements.global.js"],
      ...["/elements/react", "/elements/svelte", "/elements/vue"],
      ...["/idempotency", "/idempotency/testing", "/msw", "/node"],
      ...[
        "/openapi.json",
        "/package.json",
        "/postbacks",
        "/sandbox",
        "/sandbox/server",
        "/sri.json",
        "/testing",
      ],
    ];
    expect(Object.keys(manifestOf(PACKAGE).exports).sort()).toEqual(entries.map((entry) => `.${entry}`));

    const missing = await evaluate(
      `import { existsSync } from "node:fs";
       import { fileURLToPath } from "node:url";
       const files = ${JSON.stringify(entries)}.map((entry) => fileURLToPath(import.meta.resolve("payments-sdk" + entry)));
       console.log(JSON.stringify(files.filter((file) => !existsSync(file))));`,
      "module",
    );

    expect(missing).toEqual([]);
  });

  test("gets the same classes from all entries, by import and require()", async () => {
    const result = await evaluate(
      `import { createRequire } from "node:module";
       import * as sdk from "payments-sdk";
       import * as browser from "payments-sdk/browser";
       import { PaymentCardForm } from "payments-sdk/elements"; // a server renders pages that use it
       import { InvalidPostbackError, parsePostback } from "payments-sdk/postbacks";
       let caught;
       try { parsePostback("{"); } catch (error) { caught = error; }
       console.log(JSON.stringify([
         caught instanceof sdk.PaymentsError, caught instanceof sdk.InvalidPostbackError,
         InvalidPostbackError === sdk.InvalidPostbackError, caught instanceof sdk.ApiError,
         browser.CardToken === sdk.CardToken, browser.ValidationError === sdk.ValidationError,
         typeof PaymentCardForm === "function", createRequire(import.meta.url)("payments-sdk") === sdk,
       ]));`,
      "module",
    );

    expect(result).toEqual([true, true, true, false, true, true, true, true]);
  });

  test.each([
    ["index.js", ["ky"]],
    ["browser.js", []],
    ["elements.js", []],
    ["postbacks.js", ["jose/base64url", "jose/errors", "jose/jwt/sign", "jose/jwt/verify"]],
    ["idempotency.js", []],
    ["idempotency-testing.js", ["node:assert/strict"]],
    [
      "testing.js",
      ["node:assert/strict", "node:events", "node:http", "node:http2", "node:module", "node:stream"],
    ],
    ["node.js", ["node:net", "node:tls", "node:zlib"]],
    ["sandbox.js", []],
    ["sandbox-server.js", ["node:events", "node:http", "node:http2", "node:module", "node:stream"]],
    ["msw.js", ["msw"]],
  ])("loads with %s only the packages %j", async (entry, packages) => {
    const { metafile } = await build({
      entryPoints: [join(installed, "dist", entry)],
      bundle: true,
      packages: "external",
      format: "cjs", // it has no top-level await
      write: false,
      metafile: true,
      logLevel: "silent",
    });
    const imports = Object.values(metafile.outputs).flatMap(({ imports }) => imports);
    const names = imports.map(({ path, kind }) =>
      kind === "dynamic-import" ? `${path}, when needed` : path,
    );

    expect([...new Set(names)].sort()).toEqual(packages);
  });

  test("reads at most six files for the server's entry: their number is half the time of an import", async () => {
    const count = await evaluate(
      `import { registerHooks } from "node:module";
       let count = 0;
       registerHooks({ load: (url, context, next) => {
         count += 1;
         return next(url, context);
       } });
       await import("payments-sdk");
       console.log(count);`,
      "module",
    );

    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(6);
  });

  test("loads ky for read calls, but not for create calls", async () => {
    const result = await evaluate(
      `import { registerHooks } from "node:module";
       let loaded = false;
       registerHooks({ load: (url, context, next) => {
         loaded ||= url.includes("/node_modules/ky/");
         return next(url, context);
       } });
       const { PaymentsClient } = await import("payments-sdk");
       const keys = { baseUrl: "https://pay.example", secretKey: "sk_test_1", publicKey: "pk_test_1" };
       const clientOf = (maxRetries, fetch) => new PaymentsClient({ ...keys, maxRetries, fetch });
       const answers = async () => Response.json({ success: true, data: { version: "1.4.2" } });
       const fails = () => Promise.reject(new TypeError("fetch failed"));
       const pix = { amount: 1990, customer: { name: "Maria", email: "maria@example.com", document: { type: "cpf", number: "52998224725" } } };
       const seen = [loaded];
       for (const fetch of [answers, fails]) await clientOf(5, fetch).transactions.createPix(pix).catch(() => {});
       seen.push(loaded);
       await clientOf(0, answers).status.retrieve();
       console.log(JSON.stringify([...seen, loaded]));`,
      "module",
    );

    expect(result).toEqual([false, false, true]);
  });

  test.each(["payments-sdk/testing", "payments-sdk/node", "payments-sdk/sandbox/server"])(
    "cannot bundle %s into a page",
    async (entry) => {
      const bundled = build({
        stdin: { contents: `import "${entry}";`, resolveDir: consumer },
        bundle: true,
        platform: "browser",
        write: false,
        logLevel: "silent",
      });

      await expect(bundled).rejects.toThrow(`Could not resolve "${entry}"`);
    },
  );

  test("without msw is told by payments-sdk/msw which package is missing", async () => {
    const code = 'import("payments-sdk/msw").catch(({ message }) => console.log(JSON.stringify(message)));';

    expect(await evaluate(code, "commonjs")).toMatch(/^Cannot find package 'msw'/);
  });

  test("can start the sandbox with npx payments sandbox", async () => {
    const npx = run("npx", ["payments", "sandbox", "--port", "0"], consumer);
    onTestFinished(npx.kill);

    const [, baseUrl] = await npx.printed(/PAYMENTS_BASE_URL=(http:\S+)\n/);

    for (const path of ["/api/v1/status", "/sandbox/openapi.json"]) {
      expect((await fetch(`${baseUrl}${path}`)).status).toBe(200);
    }
  });
});

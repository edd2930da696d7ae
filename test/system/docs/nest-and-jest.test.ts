import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { start } from "../../sandbox/support/running.ts";
import { freePort, root, run, tool } from "../../support/running.ts";
import { npmInstall, pack, succeed } from "../support/consumer.ts";
import { withMatrix } from "../support/matrix.ts";

const nest = (version: string, ...names: string[]) => names.map((name) => `@nestjs/${name}@${version}`);

/** With msw 2, next to which the package once could not be installed. */
const PACKAGES = [
  ...nest("11.2.6", "common", "core", "platform-express", "testing"),
  ...[
    "@types/jest@30.0.0",
    "jest@30.5.2",
    "msw@2.15.0",
    "reflect-metadata@0.2.2",
    "rxjs@7.8.2",
    "ts-jest@29.4.15",
  ],
];

/** A merchant's folder with everything that the recipes need. */
const project = mkdtempSync(join(tmpdir(), "payments-sdk-recipes-"));

beforeAll(async () => {
  await npmInstall(project, "--ignore-scripts", (await pack(project)).tarball, ...PACKAGES);
  for (const types of ["@types/node", "@types/express"]) {
    const link = join(project, "node_modules", types);
    rmSync(link, { recursive: true, force: true });
    symlinkSync(join(root, "node_modules", types), link);
  }
  return () => rmSync(project, { recursive: true, force: true });
}, 240_000);

/** Writes files, and copies samples, into a new folder of the project. */
function folderWith(
  files: Readonly<Record<string, string | object>>,
  samples: readonly string[] = [],
): string {
  const folder = mkdtempSync(join(project, "recipe-"));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  for (const sample of samples)
    copyFileSync(join(root, "docs/samples", sample), join(folder, basename(sample)));
  return folder;
}

const NEST_MODULE = "nest/payments.module.ts";

/** The files in docs/jest-and-commonjs.md, by the names in their first lines. */
function jestFiles(): Record<string, string> {
  const page = readFileSync(join(root, "docs/jest-and-commonjs.md"), "utf8");
  const blocks = page.matchAll(/^```(?:js|typescript)\n\/\/ ([\w.-]+)\n(.*?)^```$/gms);
  return Object.fromEntries(Array.from(blocks, ([, name, code]) => [name, code]));
}

/** As `nest new` writes it, in NestJS 11 and 12. */
const NEST = {
  ...{ module: "nodenext", moduleResolution: "nodenext", target: "ES2023", outDir: "dist", rootDir: "." },
  ...{ esModuleInterop: true, isolatedModules: true, declaration: true, skipLibCheck: true, strict: true },
  ...{ emitDecoratorMetadata: true, experimentalDecorators: true, strictPropertyInitialization: false },
  types: ["node"],
};

/** As `nest new` writes it, in NestJS 11 only. */
const LOOSE = { strict: false, strictNullChecks: true, noImplicitAny: false };

const ORDER = {
  amount: 1990,
  customer: {
    ...{ name: "Maria Exemplo", email: "maria@example.com", phone: "11999998888" },
    document: { type: "cpf", number: "529.982.247-25" },
  },
  ...{ externalRef: "order-1", ip: "203.0.113.7", metadata: {}, traceable: true },
  items: [{ title: "Camiseta", unitPrice: 1990, quantity: 1, tangible: true }],
  pix: { expiresInDays: 1 },
} as const;

const NEST_MAIN = `
import { NestFactory } from "@nestjs/core";
import type { CreatePixParams } from "payments-sdk";
import { PaymentsModule, PaymentsService } from "./payments.module.js";

async function main() {
  const app = await NestFactory.create(PaymentsModule, { logger: ["error"] });
  app.enableShutdownHooks();
  await app.listen(Number(process.env.PORT));
  const order: CreatePixParams = ${JSON.stringify(ORDER)};
  const lost = await app.get(PaymentsService).createPix(order).catch((error) => error.getStatus());
  const pix = await app.get(PaymentsService).createPix(order);
  console.log(JSON.stringify({ lost, ...pix }));
}
void main();
`;

/** In 12, the packages are installed in a separate folder. */
const NEST_11 = { version: "11", type: "commonjs", compilerOptions: { ...NEST, ...LOOSE } };
const NEST_12 = { version: "12", type: "module", compilerOptions: NEST };

test.each(withMatrix([NEST_11], [NEST_12]))(
  "the module in NestJS $version, as $type, replaces a lost pix, ships it once it is paid, and closes its store",
  async ({ version, type, compilerOptions }) => {
    const sandbox = await start();
    const { gateway } = sandbox;
    gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
    const files = {
      "main.ts": NEST_MAIN,
      "tsconfig.json": { compilerOptions, exclude: ["dist"] },
    };
    const folder = folderWith(files, [NEST_MODULE]);
    if (version === "12")
      await npmInstall(folder, "--ignore-scripts", ...nest("12.5.1", "common", "core", "platform-express"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type }));
    const port = await freePort();
    const url = `http://localhost:${port}/postbacks`;
    const env = {
      PAYMENTS_BASE_URL: sandbox.baseUrl,
      PAYMENTS_SECRET_KEY: sandbox.secretKey,
      PAYMENTS_PUBLIC_KEY: sandbox.publicKey,
      PAYMENTS_POSTBACK_SECRET: "only for this test, never for a shop",
      PAYMENTS_POSTBACK_URL: url,
      PAYMENTS_STORE: join(folder, "payments.db"),
      PORT: port,
    };
    await succeed("tsc", ["-p", folder], folder);

    const running = run("node", ["dist/main.js"], folder, env);
    onTestFinished(running.kill);
    const [json] = await running.printed(/^\{.*\}$/m);
    const { lost, id, code } = JSON.parse(json);
    gateway.pay(id);
    await running.printed(/^Ship order-1$/m);
    await gateway.settled();
    const unsigned = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id, status: "approved", amount: 1990, externalRef: "order-1" }),
    });
    running.signal("SIGTERM");
    await running.ended;

    expect([lost, code, unsigned.status]).toEqual([503, expect.stringMatching(/^000201/), 401]);
    expect(gateway.deliveries.at(-1)).toMatchObject({ status: "delivered" });
    expect(existsSync(join(folder, "payments.db-wal"))).toBe(false); // SQLite deletes it when the file is closed
  },
  180_000,
);

test("the documented test, and the tests of a shop with the module, pass in Jest with CommonJS, with either setting for ES modules, and compile", async () => {
  const tsconfig = { compilerOptions: { ...NEST, ...LOOSE, types: ["node", "jest"] } };
  const samples = [NEST_MODULE, "nest/payments.spec.ts", "rehearse/adapter.ts", "rehearse/shop.ts"];
  const folder = folderWith({ ...jestFiles(), "package.json": {}, "tsconfig.json": tsconfig }, samples);
  mkdirSync(join(folder, "cache"));

  await succeed("tsc", ["-p", folder, "--noEmit"], folder);
  const jest = [
    join(project, "node_modules/jest/bin/jest.js"),
    "--cacheDirectory=cache",
    "--testTimeout=20000",
  ];
  const required = await tool("node", jest, folder);
  const withoutTransform = ["--experimental-vm-modules", ...jest, "--transformIgnorePatterns=/node_modules/"];
  const imported = await tool("node", withoutTransform, folder);

  for (const { stdout, stderr } of [required, imported])
    expect(stdout + stderr).toMatch(/^Tests: +(\d\d) passed, \1 total$/m);
}, 180_000);

test("the handlers work with msw 2", async () => {
  const program = `
    import { setupServer } from "msw/node";
    import { PaymentsClient } from "payments-sdk";
    import { handlers } from "payments-sdk/msw";
    import { createGateway } from "payments-sdk/sandbox";
    const gateway = createGateway({ baseUrl: "https://api.example.com" });
    setupServer(...handlers(gateway)).listen({ onUnhandledRequest: "error" });
    const { baseUrl, secretKey, publicKey } = gateway;
    const payments = new PaymentsClient({ baseUrl, secretKey, publicKey });
    console.log((await payments.company.retrieve()).status);`;
  const folder = folderWith({ "main.mjs": program });

  expect(await succeed("node", ["main.mjs"], folder)).toBe("active\n");
});

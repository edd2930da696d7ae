import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { useBrowser } from "../../support/browsing.ts";
import { run, tool } from "../../support/running.ts";
import { useProject, withMatrix } from "../support/matrix.ts";
import { openPage } from "../support/runtime-page.ts";
import { startService } from "../support/runtime-service.ts";
import {
  bundle,
  expectPassed,
  IN_A_PAGE,
  proves,
  runSmokeTest,
  WITH_NODE,
  WITHOUT_NODE,
} from "../support/smoke-test.ts";
import { REPORT_MARK } from "./smoke/environment.ts";

useBrowser();
const project = useProject();

const BUN = "1.4.5";

/** Runs the smoke test in a runtime that is called like Node. */
async function runLikeNode(command: string, args: readonly string[], version: string) {
  const program = join(project.folder, "smoke.mjs");
  writeFileSync(program, await bundle(project.folder, 'import "./smoke/process.ts";', { format: "esm" }));
  expect((await tool(command, ["--version"])).stdout).toContain(version);
  const service = await startService();
  const addresses = JSON.stringify(service.addresses);
  return { service, report: await runSmokeTest(command, [...args, program, addresses], project.folder) };
}

/** Also `bunx payments sandbox`. */
async function inBun(): Promise<void> {
  const folder = await project.installTools(`bun@${BUN}`, project.tarball);
  const bin = join(folder, "node_modules/.bin");

  const { service, report } = await runLikeNode(join(bin, "bun"), [], BUN);
  const sandbox = run(join(bin, "bunx"), ["--bun", "payments", "sandbox", "--port", "0"], folder);
  onTestFinished(sandbox.kill);
  const [, baseUrl] = await sandbox.printed(/PAYMENTS_BASE_URL=(http:\S+)\n/);

  expectPassed(report, WITH_NODE, [proves("fetch", "not_sent"), proves("nodeTransport", "not_sent")]);
  service.expectSentOnce("fetch", { keepsConnections: false }); // not always kept after a body that can be read only once
  service.expectSentOnce("nodeTransport");
  expect((await fetch(`${baseUrl}/api/v1/status`)).status).toBe(200);
}

/** The permissions that the package needs: network, keys, files of a store, and certificates for `node:https`. */
const DENO_FLAGS = ["--allow-net", "--allow-env", "--allow-read", "--allow-write", "--allow-sys"];

async function inDeno(): Promise<void> {
  const command = join(await project.installTools("deno@2.9.6"), "node_modules/.bin/deno");
  const args = ["run", "--no-prompt", "--node-modules-dir=manual", ...DENO_FLAGS];

  const { service, report } = await runLikeNode(command, args, "2.9.6");

  // The errors of its fetch have messages, but no codes.
  expectPassed(report, WITH_NODE, [proves("fetch", "unknown"), proves("nodeTransport", "not_sent")]);
  service.expectSentOnce("fetch");
  service.expectSentOnce("nodeTransport");
}

/** The same as wrangler uses. */
const WORKER_CONDITIONS = ["workerd", "worker", "browser"];

const WORKER = `
import { smoke } from "./smoke/neutral.ts";
export default {
  async test(_controller, env) { console.log("${REPORT_MARK}" + (await smoke(JSON.parse(env.SERVICE)))); },
};
`;

/** Without flags. Since a date, Workers have Node's modules: the package does not need them. */
const workerConfig = (
  addresses: object,
  compatibilityDate: string,
) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .smoke), (name = "net", network = (allow = ["public", "private"]))],
);
const smoke :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  bindings = [(name = "SERVICE", text = ${JSON.stringify(JSON.stringify(addresses))})],
  compatibilityDate = "${compatibilityDate}",
  globalOutbound = "net",
);
`;

async function inWorkerd(compatibilityDate: string): Promise<void> {
  const folder = await project.installTools("workerd@1.20261117.1");
  const service = await startService();
  const worker = await bundle(project.folder, WORKER, { format: "esm", conditions: WORKER_CONDITIONS });
  writeFileSync(join(folder, "worker.js"), worker);
  writeFileSync(join(folder, "worker.capnp"), workerConfig(service.addresses, compatibilityDate));

  const command = join(folder, "node_modules/.bin/workerd");
  const report = await runSmokeTest(command, ["test", "worker.capnp"], folder);

  expectPassed(report, WITHOUT_NODE, [proves("fetch", "unknown")]);
  service.expectSentOnce("fetch");
}

const EDGE_PROGRAM = `
import { readFileSync } from "node:fs";
import { EdgeRuntime } from "edge-runtime";

const runtime = new EdgeRuntime({ initialCode: readFileSync("smoke.js", "utf8") });
console.log("${REPORT_MARK}" + (await runtime.evaluate(\`smoke(\${process.argv[2]})\`)));
`;

async function inEdgeRuntime(): Promise<void> {
  const folder = await project.installTools("edge-runtime@4.0.1");
  const service = await startService();
  const options = { format: "iife", conditions: ["edge-light"] } as const;
  writeFileSync(
    join(folder, "smoke.js"),
    await bundle(project.folder, 'import "./smoke/neutral.ts";', options),
  );
  writeFileSync(join(folder, "program.mjs"), EDGE_PROGRAM);

  const args = ["program.mjs", JSON.stringify(service.addresses)];
  const report = await runSmokeTest(process.execPath, args, folder);

  expectPassed(report, WITHOUT_NODE, [proves("fetch", "not_sent")]);
  service.expectSentOnce("fetch");
}

/** A component test of a merchant. */
const COMPONENT_TEST = `
import userEvent from "@testing-library/user-event";
import { setupServer } from "msw/node";
import { PaymentsClient } from "payments-sdk";
import "payments-sdk/elements";
import { handlers } from "payments-sdk/msw";
import { createGateway } from "payments-sdk/sandbox";
import { expect, onTestFinished, test } from "vitest";
import { aPix } from "./smoke.mjs";

const gateway = createGateway({ baseUrl: "https://api.example.com" });

test("the sandbox creates a pix", async () => {
  const { baseUrl, secretKey, publicKey, fetch } = gateway;
  const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, fetch, dangerouslyAllowBrowser: true });
  const { pix } = await payments.transactions.createPix(aPix("order-1"));
  expect(pix.qrcode).toMatch(/^data:image.png;base64,/);
});

test("a typed card becomes a token behind msw, and a reset form is empty", async () => {
  const server = setupServer(...handlers(gateway));
  server.listen({ onUnhandledFrame: "error" });
  onTestFinished(() => server.close());
  document.body.innerHTML = "<form><payment-card-form name=token></payment-card-form><button>Pay</button></form>";
  const [card, button] = document.querySelectorAll("payment-card-form, button");
  Object.assign(card, { baseUrl: gateway.baseUrl, publicKey: gateway.publicKey });
  const submitted = new Promise((resolve) => card.form.addEventListener("submit", (event) => {
    event.preventDefault();
    resolve([...new FormData(event.target)]);
  }));
  const user = userEvent.setup();
  for (const [index, text] of ["4111111111111111", "MARIA EXEMPLO", "1239", "123"].entries()) {
    await user.type(card.querySelectorAll("input")[index], text);
  }
  await user.click(button);
  expect(await submitted).toEqual([["token", card.value]]);
  card.form.reset();
  expect(card.value + card.querySelector("input").value).toBe("");
});
`;

/** Pages without a browser, which need a polyfill for form-associated elements. */
async function inSimulatedPages(): Promise<void> {
  const tools = ["vitest@5.1.0", "jsdom@31.0.1", "happy-dom@21.0.4", "element-internals-polyfill@3.0.2"];
  const user = ["@testing-library/user-event@14.6.1", "@testing-library/dom@10.4.1", "msw@3.0.5"];
  const folder = await project.installTools(...tools, ...user, project.tarball);
  const order = await bundle(project.folder, 'export * from "./smoke/orders.ts";', { format: "esm" });
  writeFileSync(join(folder, "smoke.mjs"), order);
  const setup =
    'export default { test: { setupFiles: ["element-internals-polyfill"], testTimeout: 60_000 } };';
  writeFileSync(join(folder, "vitest.config.mjs"), setup);
  for (const name of ["jsdom", "happy-dom"]) {
    writeFileSync(join(folder, `${name}.test.mjs`), `// @vitest-environment ${name}\n${COMPONENT_TEST}`);
  }

  const { stdout, stderr } = await tool(process.execPath, ["node_modules/vitest/vitest.mjs", "run"], folder);

  expect(stdout, stderr).toMatch(/Tests +4 passed \(4\)/);
}

/** Creates tokens over HTTP, and does everything else in process. */
async function inChromium(): Promise<void> {
  const { addresses } = await startService();
  const options = { format: "esm", conditions: ["browser"] } as const;
  const page = await openPage(
    await bundle(project.folder, 'import "./smoke/neutral.ts";', options),
    addresses.baseUrl,
  );

  const report = await page.evaluate(
    (args) => (globalThis as unknown as { smoke: (addresses: object) => Promise<string> }).smoke(args),
    addresses,
  );

  expectPassed(JSON.parse(report), IN_A_PAGE, []);
}

test.each(
  withMatrix<[string, () => Promise<void>]>(
    [["a page of Chromium", inChromium]],
    [
      ["Bun", inBun],
      ["Deno", inDeno],
      ["workerd", () => inWorkerd("2026-06-01")],
      ["workerd with Node's modules", () => inWorkerd("2026-11-01")],
      ["edge-runtime", inEdgeRuntime],
      ["jsdom and happy-dom", inSimulatedPages],
    ],
  ),
)("the package works in %s", (_runtime, runTest) => runTest());

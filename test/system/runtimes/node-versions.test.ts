import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sqliteStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import { tool } from "../../support/running.ts";
import { succeed } from "../support/consumer.ts";
import { useProject, withMatrix } from "../support/matrix.ts";
import { startService } from "../support/runtime-service.ts";
import { bundle, expectPassed, ON_NODE, proves, runSmokeTest } from "../support/smoke-test.ts";

const project = useProject();

// The other tests of the build load it by import.
const cjs: { format: "esm" | "cjs"; loadedBy: string } = { format: "cjs", loadedBy: "require()" };
const formats = withMatrix<typeof cjs>([cjs], [{ format: "esm", loadedBy: "import" }]);

test.each(
  withMatrix(["24.21.0"], ["22.13.0", "22.23.3", "26.10.0"]).flatMap((version) =>
    formats.map((format) => ({ version, ...format })),
  ),
)("every entry works on Node $version, loaded by $loadedBy", async ({ version, format }) => {
  const isCurrent = process.versions.node === version;
  const node = isCurrent
    ? process.execPath
    : join(await project.installTools(`node@${version}`), "node_modules/.bin/node");
  expect(await succeed(node, ["--version"], project.folder)).toBe(`v${version}\n`);
  const program = join(project.folder, format === "esm" ? "smoke.mjs" : "smoke.cjs");
  writeFileSync(program, await bundle(project.folder, 'import "./smoke/process.ts";', { format }));
  const service = await startService();

  const args = [program, JSON.stringify(service.addresses), "no TLS session", "msw"];
  const report = await runSmokeTest(node, args, project.folder);

  sqliteStore(join(project.folder, "shop.db")).close();
  const cli = join(project.folder, "node_modules/payments-sdk/dist/payments.js");
  const listed = await tool(node, [cli, "orders", "list", "--store", "shop.db"], project.folder);

  expect(listed.stderr).toContain("The database has no orders at all");
  expectPassed(report, ON_NODE, [proves("fetch", "not_sent"), proves("nodeTransport", "not_sent")]);
  service.expectSentOnce("fetch");
  service.expectSentOnce("nodeTransport");
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { succeed } from "../support/consumer.ts";
import { here, useProject } from "./support/matrix.ts";
import { startService } from "./support/service.ts";
import { bundle, expectPassed, ON_NODE, proves, reportOf } from "./support/smoke.ts";

const project = useProject();

test.each(
  here(["24.21.0"], ["22.13.0", "22.23.3", "26.10.0"]).flatMap((version) => [
    { version, format: "esm" as const, by: "import" },
    { version, format: "cjs" as const, by: "require()" },
  ]),
)("every entry works on Node $version, loaded by $by", async ({ version, format }) => {
  const isHere = process.versions.node === version;
  const node = isHere
    ? process.execPath
    : join(await project.bring(`node@${version}`), "node_modules/.bin/node");
  expect(await succeed(node, ["--version"], project.folder)).toBe(`v${version}\n`);
  const program = join(project.folder, format === "esm" ? "smoke.mjs" : "smoke.cjs");
  writeFileSync(program, await bundle(project.folder, 'import "./process.ts";', { format }));
  const service = await startService();

  const args = [program, JSON.stringify(service.addresses), "no TLS session", "msw"];
  const report = await reportOf(node, args, project.folder);

  expectPassed(report, ON_NODE, [proves("fetch", "not_sent"), proves("nodeTransport", "not_sent")]);
  service.expectSentOnce("fetch");
  service.expectSentOnce("nodeTransport");
});

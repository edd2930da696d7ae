import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { finish } from "../matrix/finish.ts";
import { judge, reportOf } from "../matrix/read-report.ts";
import type { Proofs, Row } from "../matrix/row.ts";
import { startService } from "../matrix/service.ts";
import { bundleSmoke } from "../matrix/smoke-files.ts";
import { startOf } from "../matrix/start-of.ts";
import { exactly, VERSIONS } from "../versions.ts";
import { NEUTRAL, PASSES_WITHOUT_NODE, saying } from "./entries.ts";

/** As wrangler bundles a Worker. */
const CONDITIONS = ["workerd", "worker", "browser"];

/** No `nodejs_compat`: the package needs none of it. */
const configFor = (service: object) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .smoke), (name = "net", network = (allow = ["public", "private"]))],
);
const smoke :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  bindings = [(name = "SERVICE", text = ${JSON.stringify(JSON.stringify(service))})],
  compatibilityDate = "2026-06-01",
  globalOutbound = "net",
);
`;

const PROOFS: Proofs = { fetch: "unknown" };

export const WORKERD_ROW: Row = {
  name: "workerd",
  group: "runtimes",
  label: "workerd",
  version: VERSIONS.workerd,
  entries: NEUTRAL,
  proofs: PROOFS,
  run: async (workshop) => {
    const tool = await workshop.bring("workerd", [exactly("workerd", VERSIONS.workerd)]);
    // It tells its version by the day that its name ends with.
    const [, year, month, day] = /^1\.(\d{4})(\d\d)(\d\d)\./.exec(VERSIONS.workerd) ?? [];
    await startOf(tool.bin("workerd"), ["--version"], `${year}-${month}-${day}`);
    const { folder } = await workshop.consumer();
    const worker = await bundleSmoke("worker.ts", folder, { format: "esm", conditions: CONDITIONS });
    const service = await startService();
    try {
      writeFileSync(join(tool.folder, "worker.js"), worker);
      writeFileSync(join(tool.folder, "worker.capnp"), configFor(service.address));
      const finished = await finish(tool.bin("workerd"), ["test", "worker.capnp"], tool.folder);
      return judge(reportOf(finished), { entries: PASSES_WITHOUT_NODE, seen: saying(PROOFS) });
    } finally {
      await service.close();
    }
  },
};

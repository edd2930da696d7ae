import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { finish } from "../matrix/finish.ts";
import { judge, reportOf } from "../matrix/read-report.ts";
import type { Proofs, Row } from "../matrix/row.ts";
import { startService } from "../matrix/service.ts";
import { bundleSmoke } from "../matrix/smoke-files.ts";
import { REPORT_MARK } from "../smoke/setting.ts";
import { exactly, VERSIONS } from "../versions.ts";
import { NEUTRAL, PASSES_WITHOUT_NODE, saying } from "./entries.ts";

const HOLDER = `
import { readFileSync } from "node:fs";
import { EdgeRuntime } from "edge-runtime";

const runtime = new EdgeRuntime({ initialCode: readFileSync("smoke.js", "utf8") });
console.log(${JSON.stringify(REPORT_MARK)} + (await runtime.evaluate(\`smoke(\${process.argv[2]})\`)));
`;

const PROOFS: Proofs = { fetch: "not_sent" };

export const EDGE_ROW: Row = {
  name: "edge-runtime",
  group: "runtimes",
  label: "edge-runtime",
  version: VERSIONS["edge-runtime"],
  entries: NEUTRAL,
  proofs: PROOFS,
  run: async (workshop) => {
    const tool = await workshop.bring("edge-runtime", [exactly("edge-runtime", VERSIONS["edge-runtime"])]);
    const { folder } = await workshop.consumer();
    const bundle = await bundleSmoke("edge.ts", folder, { format: "iife", conditions: ["edge-light"] });
    const service = await startService();
    try {
      writeFileSync(join(tool.folder, "smoke.js"), bundle);
      writeFileSync(join(tool.folder, "holder.mjs"), HOLDER);
      const given = JSON.stringify(service.address);
      const finished = await finish(process.execPath, ["holder.mjs", given], tool.folder);
      return judge(reportOf(finished), { entries: PASSES_WITHOUT_NODE, seen: saying(PROOFS) });
    } finally {
      await service.close();
    }
  },
};

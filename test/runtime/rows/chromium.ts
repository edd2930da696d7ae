import { inPage } from "../matrix/page.ts";
import { judge } from "../matrix/read-report.ts";
import { Missing, type Row } from "../matrix/row.ts";
import { startService } from "../matrix/service.ts";
import { bundleSmoke } from "../matrix/smoke-files.ts";
import type { Workshop } from "../matrix/workshop.ts";
import type { Service, SmokeReport } from "../smoke/setting.ts";
import { VERSIONS } from "../versions.ts";
import { NEUTRAL, PASSES_WITHOUT_NODE } from "./entries.ts";

declare global {
  interface Window {
    readonly smoke: (service: Service) => Promise<SmokeReport>;
  }
}

/** The smoke test in a page; gives the version of the browser. */
export async function smokeInPage(workshop: Workshop): Promise<string> {
  const { folder } = await workshop.consumer();
  const script = await bundleSmoke("page.ts", folder, { format: "esm", conditions: ["browser"] });
  const service = await startService();
  try {
    const { address } = service;
    return await inPage(script, address.baseUrl, async (page, browser) => {
      const report = await page.evaluate((given) => window.smoke(given), address);
      judge(report, { entries: PASSES_WITHOUT_NODE, seen: [] });
      return browser.version();
    });
  } finally {
    await service.close();
  }
}

export const CHROMIUM_ROW: Row = {
  name: "chromium",
  group: "runtimes",
  label: "Chromium",
  version: VERSIONS.chromium,
  entries: NEUTRAL,
  run: async (workshop) => {
    const version = await smokeInPage(workshop);
    if (!version.startsWith(`${VERSIONS.chromium}.`)) {
      throw new Missing(`the Chromium of this machine is ${version}; in it the smoke test passes`);
    }
    return [`it is ${version}; tokens over HTTP, the rest in process`];
  },
};

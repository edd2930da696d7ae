import { type BrowserSdk, report } from "./report.ts";

/** Answers each message, which holds the arguments of a report, with the report. */
export function serveReports(sdk: BrowserSdk): void {
  globalThis.addEventListener("message", async ({ data: [options, card] }) => {
    globalThis.postMessage(await report(sdk, options, card));
  });
}

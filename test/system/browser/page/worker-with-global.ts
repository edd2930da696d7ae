import type { BrowserSdk } from "./report.ts";
import { serveReports } from "./worker.ts";

declare function importScripts(url: string): void;
declare const PaymentsSDK: BrowserSdk;

importScripts("/browser.global.js");
serveReports(PaymentsSDK);

import { startPage } from "./card-page.ts";
import type { BrowserSdk } from "./report.ts";

// What `<script src="browser.global.js">` leaves behind.
declare const PaymentsSDK: BrowserSdk;

startPage(PaymentsSDK);

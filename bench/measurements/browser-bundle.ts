import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { OURS, PAGES } from "../browser-bundle/pages.ts";
import { isHere, type Weight, weigh, weightOf } from "../browser-bundle/weigh.ts";
import type { Measurement, Section } from "../support/measurement.ts";

const SCRIPT = "payments-sdk/browser.global.js";

export const measurement: Measurement = {
  name: "browser-bundle",
  run: async (effort) => {
    const pages = PAGES.filter((page) => isHere(page) && (effort === "full" || page.among === "ours"));
    const rows = new Map<string, readonly [Weight, string]>();
    for (const page of pages) rows.set(page.name, [await weigh(page), page.elsewhere]);
    const script = await readFile(fileURLToPath(import.meta.resolve(SCRIPT)));
    rows.set(`${SCRIPT}, for <script>`, [weightOf(script), "nothing"]);
    return sectionOf(rows);
  },
};

function sectionOf(rows: ReadonlyMap<string, readonly [Weight, string]>): Section {
  return {
    title: "In the browser",
    text: [
      "What a page loads to turn a card into a token: bundled and minified by esbuild for es2022, then brotli of quality",
      "11, in bytes. Each page imports what it needs for that, and no more; style sheets are left out. Loaders fetch what",
      "does the work from their service at run time: how much that is, is not measured here. Hosted fields and the",
      "loaders keep the card's data out of the page, which ours, pagarme's, braintree's client alone, ky and a plain",
      "fetch do not.",
    ].join(" "),
    tables: [
      {
        caption: "",
        columns: ["what", "minified", "brotli", "loaded besides"],
        rows: [...rows].map(([name, [weight, elsewhere]]) => [
          name,
          String(weight.minified),
          String(weight.brotli),
          elsewhere,
        ]),
      },
    ],
    aims: [
      {
        what: "Browser entry, whole, minified, brotli",
        unit: "bytes",
        limit: 13_000,
        found: rows.get(OURS)?.[0].brotli ?? Number.NaN,
      },
    ],
  };
}

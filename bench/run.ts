// What a payment costs, beside everybody else:
// npm run bench [-- <measurement>... --quick --only <contender>,... --kinds card,... --rounds 3], or --list
import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { readCommandLine } from "./support/command-line.ts";
import { missingContenders } from "./support/contenders.ts";
import { measurementOf, NAMES } from "./support/measurements.ts";
import { RESULTS, readReasons, resultsText } from "./support/results.ts";
import { runMeasurements } from "./support/run-measurements.ts";
import { sectionText } from "./support/tables.ts";

const { list, names, effort, choice, everything } = readCommandLine(process.argv.slice(2));
if (list) console.log(NAMES.join("\n"));
else await measure();

async function measure(): Promise<void> {
  const missing = effort === "full" ? missingContenders() : [];
  if (missing.length > 0) console.error(`Not installed, and left out: ${missing.join(", ")}\n`);
  const { sections, failed } = await runMeasurements(
    names.map((name) => ({ name, load: () => measurementOf(name) })),
    (measurement) => measurement.run(effort, choice),
    {
      onSection: (section) => console.log(sectionText(section)),
      onFailure: (name, error) => console.error(`FAILED: ${name}`, error),
    },
  );
  if (failed.length > 0) {
    process.exitCode = 1;
    console.error(`Failed: ${failed.join(", ")}. No results were written.`);
  } else if (everything) {
    writeFileSync(RESULTS, resultsText(sections, readReasons(), new Date()));
    console.log(`Written: ${relative(process.cwd(), RESULTS)}`);
  }
}

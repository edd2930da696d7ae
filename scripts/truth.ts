// What calls say about a charge, against a service that knows: npm run truth [-- --calls 20000 --seed 1 --only 12]
//
// Random combinations of transport, dispatcher, store, signer, listener, abort, timeout and answer, over HTTP/1.1 and
// then over HTTP/2. `--only` runs the scenario of that index alone. The tests run the same with fewer calls.
import { parseArgs } from "node:util";
import { runScenarios } from "../test/truth/run-scenarios.ts";

const { values } = parseArgs({
  options: { calls: { type: "string" }, seed: { type: "string" }, only: { type: "string" } },
});
const seed = numberOf(values.seed) ?? Math.floor(Math.random() * 2 ** 32);
const calls = numberOf(values.calls) ?? 20_000;

for (const protocol of ["HTTP/1.1", "HTTP/2"] as const) {
  const truth = await runScenarios({ seed, calls, protocol, only: numberOf(values.only) });
  for (const report of truth.reports.slice(0, 10)) console.error(report, "\n");

  const counts = new Map<string, number>();
  for (const { rule } of truth.violations) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  console.log(
    `${protocol}, seed ${seed}: ${truth.calls} calls in ${truth.seconds.toFixed(1)} s`,
    truth.endings,
  );
  console.log(`${truth.reports.length} violations`, Object.fromEntries(counts));
  if (truth.reports.length > 0) process.exitCode = 1;
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,10}$/.test(text)) throw new TypeError(`Not a whole number: ${text}`);
  return Number(text);
}

// What calls say about a charge, against a service that knows: npm run truth [-- --calls 20000 --seed 1 --only 12]
//
// Random combinations of transport, dispatcher, store, signer, listener, abort, timeout and response, over HTTP/1.1 and
// then over HTTP/2. `--only` runs the scenario of that index alone. A test runs the same with fewer calls.
import { parseArgs } from "node:util";
import { runScenarios } from "./run-scenarios.ts";

const { values } = parseArgs({
  options: { calls: { type: "string" }, seed: { type: "string" }, only: { type: "string" } },
});
// Each scenario has listeners that throw, which the SDK reports once per client.
const logError = console.error;
console.error = (text: unknown, ...rest) => {
  if (!String(text).startsWith("payments-sdk: onEvent threw")) logError(text, ...rest);
};

const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
const calls = Number(values.calls ?? 20_000);
const only = values.only === undefined ? undefined : Number(values.only);

for (const protocol of ["HTTP/1.1", "HTTP/2"] as const) {
  const { summary, reports } = await runScenarios({ seed, calls, protocol, only });
  for (const report of reports.slice(0, 10)) console.error(report, "\n");
  console.log(`${summary}\n${reports.length} violations`);
  if (reports.length > 0) process.exitCode = 1;
}

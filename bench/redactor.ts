// What it costs to redact a text of the service with the secrets of a create call, beside JSON.parse of a response.
// node bench/redactor.ts [--rounds 7] [--calls 2000]
import { Redactor } from "../src/data/redactor.ts";
import {
  inRounds,
  medianOf,
  numberOption,
  onTask,
  printTable,
  printTitle,
  ratioCell,
  startWorker,
} from "./helpers.ts";
import { anAnswer, REQUEST_ID, secretsOf, TRANSACTION_ID } from "./order.ts";

const BASELINE = "JSON.parse of a response";
const WARM_UP_CALLS = 5_000;

const answer = anAnswer("refused card", TRANSACTION_ID, "order-77");
/** About as long, without the postback URL. */
const plain = answer.replace(/"postBackUrl":"[^"]*"/, `"note":"${"Entregar. ".repeat(18)}"`);
const texts: Readonly<Record<string, string>> = {
  [BASELINE]: plain,
  "a response without a secret": plain,
  "a response with the postback URL": answer,
  "a request id": REQUEST_ID,
  "a reason for refusal": "Insufficient limit",
};

if (process.argv[2] === "contender") runContender(process.argv[3] ?? "");
else await main();

async function main(): Promise<void> {
  const rounds = numberOption("rounds", 7);
  const calls = numberOption("calls", 2_000);
  const names = Object.keys(texts);
  const results = await inRounds(names, rounds, async (name) => {
    await using worker = startWorker(import.meta.filename, ["contender", name]);
    await worker.ask({ calls: WARM_UP_CALLS });
    return await worker.ask<Record<string, number>>({ calls });
  });

  printTitle("Redacting a text");
  console.log(
    `${rounds} rounds of ${calls} calls, each in a process of its own with a new Redactor for every call.\n`,
  );
  printTable(
    ["text", "characters", "µs of CPU", `ratio to ${BASELINE}`],
    names.map((name) => [
      name,
      String(texts[name]?.length),
      medianOf(results, name, "cpu").toFixed(2),
      ratioCell(results, name, "cpu"),
    ]),
  );
}

function runContender(name: string): void {
  const text = texts[name] ?? "";
  onTask(({ calls }: { readonly calls: number }) => {
    const secrets = Array.from({ length: calls }, (_, call) => secretsOf(call));
    let changed = 0;
    const before = process.threadCpuUsage();
    for (const those of secrets) {
      if (name === BASELINE) JSON.parse(text);
      else if (new Redactor(those).text(text) !== text) changed += 1;
    }
    const { user, system } = process.threadCpuUsage(before);
    if (changed !== (text === answer ? calls : 0))
      throw new Error(`${changed} of ${calls} texts were redacted.`);
    return { cpu: (user + system) / calls };
  });
}

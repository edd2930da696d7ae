// What a postback costs a receiver: npm run bench:postbacks [-- <rounds>]
//
// In one process and in turn (A B C A B C), so that a machine that slows down slows all of them. Each does the same
// work: text in, the id of the transaction out.
import { PostbackUrlSigner, parsePostback } from "payments-sdk/postbacks";

const ORDER = { externalRef: "order-77", amount: 10_000 };
const BASELINE = "JSON.parse";
const text = JSON.stringify({
  id: 81_001,
  status: "approved",
  ...ORDER,
  transactionDate: "2026-03-01T12:31:00.000Z",
});
const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: "a secret of the benchmark, 32 bytes" }] });
const url = await signer.sign("https://shop.example.com/postbacks", ORDER);
const postback = parsePostback(text);

const CALLS = 20_000;
const contenders: Readonly<Record<string, () => unknown>> = {
  [BASELINE]: () => JSON.parse(text).id,
  parsePostback: () => parsePostback(text).id,
  "signer.verify": () => signer.verify(url, postback),
};

const rounds = Math.max(15, Number(process.argv[2]) || 21);
const times = new Map(Object.keys(contenders).map((name) => [name, [] as number[]]));

for (let round = -3; round < rounds; round += 1) {
  for (const [name, work] of Object.entries(contenders)) {
    const took = await nanosecondsOf(work);
    if (round >= 0) times.get(name)?.push(took); // the first three only warm the engine
  }
}

const baseline = median(times.get(BASELINE) ?? []);
console.log(`${rounds} rounds of ${CALLS} calls on Node ${process.versions.node}, nanoseconds a call\n`);
console.log("| what          | median | ratio |\n|---------------|-------:|------:|");
for (const [name, own] of times) {
  const cells = [median(own).toFixed(0), (median(own) / baseline).toFixed(2)];
  console.log(`| ${name.padEnd(13)} | ${cells[0]?.padStart(6)} | ${cells[1]?.padStart(5)} |`);
}

async function nanosecondsOf(work: () => unknown): Promise<number> {
  const started = performance.now();
  for (let call = 0; call < CALLS; call += 1) {
    const result = work();
    if (result instanceof Promise) await result;
  }
  return ((performance.now() - started) * 1e6) / CALLS;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

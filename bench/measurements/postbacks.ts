import { BASELINE, type Contender, contendersHere } from "../postbacks/contenders.ts";
import { inRounds, patienceBy, type Run, ratioText } from "../rounds/rounds.ts";
import type { Measurement, Section } from "../support/measurement.ts";
import { median } from "../support/statistics.ts";

const PATIENCE = {
  full: { rounds: 11, warmUp: 2, calls: 3_000 },
  quick: { rounds: 1, warmUp: 0, calls: 20 },
};

export const measurement: Measurement = {
  name: "postbacks",
  run: async (effort, choice) => {
    const patience = patienceBy(PATIENCE[effort], choice);
    const contenders = await contendersHere(effort === "quick");
    const cpu = new Map(contenders.map(({ name }) => [name, [] as number[]]));
    const runners = contenders.map((contender) => ({
      name: contender.name,
      measure: async () => {
        const cost = await costOf(contender, patience.calls);
        cpu.get(contender.name)?.push(cost.cpu);
        return cost.time;
      },
    }));
    return sectionOf(await inRounds(runners, patience), cpu, patience);
  },
};

/** Nanoseconds a call, by the clock and of all threads of the process. */
async function costOf(
  { prepare, take }: Contender,
  calls: number,
): Promise<{ readonly time: number; readonly cpu: number }> {
  await prepare?.(calls);
  const before = process.cpuUsage();
  const start = performance.now();
  for (let call = 0; call < calls; call += 1) {
    const taken = take();
    if (taken instanceof Promise) await taken;
  }
  const time = ((performance.now() - start) * 1e6) / calls;
  const { user, system } = process.cpuUsage(before);
  return { time, cpu: ((user + system) * 1000) / calls };
}

function sectionOf(
  runs: readonly Run[],
  cpu: ReadonlyMap<string, readonly number[]>,
  { rounds, calls }: { rounds: number; calls: number },
): Section {
  return {
    title: "Taking a postback",
    text: [
      `${rounds} rounds of ${calls} calls, one after the other in one process, the contenders in an order of chance. All`,
      `read the same body of about 120 bytes. parsePostback reads and checks it. signer.verify checks the JWT in the URL`,
      "that the postback came to, and with a second HMAC that it is of this order, both by WebCrypto, which works on",
      "every platform and does its work in another thread; stripe and standardwebhooks check an HMAC of the body by",
      "node:crypto and parse it. handler.fetch is all that a receiver does, from a `Request` to a `Response`: read,",
      "parse, verify, claim it in a memory store, run an empty `onPostback`, record that it ran; `new Request, text, new",
      "Response` is the part of it that is the platform's own.",
    ].join(" "),
    tables: [
      {
        caption: "",
        columns: ["contender", "ns a call", "ns of CPU a call", `beside ${BASELINE} (least to most)`],
        rows: runs.map(({ name, figures, ratios }) => [
          name,
          median(figures).toFixed(0),
          median(cpu.get(name) ?? []).toFixed(0),
          ratioText(ratios),
        ]),
      },
    ],
    aims: [],
  };
}

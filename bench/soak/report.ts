import type { Aim, Section, Table } from "../support/measurement.ts";
import type { Findings, Plan } from "./plan.ts";

/** What was found of one way to use the package. */
export interface Soaked extends Findings {
  readonly way: string;
  readonly endedByItself: boolean;
}

/** The most by which the heap may be larger after the last cycle than after any from the second on, in percent. */
const GROWTH_LIMIT = 5;

export function sectionOf(soaked: readonly Soaked[], plan: Plan): Section {
  return {
    title: "Soak: a service that is slow, fails and recovers",
    text: textOf(plan),
    tables: [countsOf(soaked), outcomesOf(soaked), heapsOf(soaked)],
    aims: aimsOf(soaked),
  };
}

function textOf({ cycles, phases, atATime, timeout, ordersKept, warmUp, serverIdleMs }: Plan): string {
  const { healthy, slow, failing, leaving, refusing, recovering } = phases;
  const whole = healthy + slow + failing + leaving + refusing + recovering;
  return [
    `${atATime} card creates at a time for ${(cycles * whole) / 1000} s, in ${cycles} cycles, against a service in a`,
    `process of its own that is, after ${warmUp} creates to warm up, healthy (${healthy} ms), slower than the client's time-out of ${timeout} ms`,
    `(${slow} ms: the answer comes later, or stops in its middle), failing (${failing} ms: 503 with and without a`,
    "charge, 429, connections reset before and after reading, answers that break off in the head, in the body or in the",
    `JSON, connections closed without a word), leaving (${leaving} ms: every other connection is closed a few`,
    `milliseconds after an answer, when the next request may be on its way), refusing (${refusing} ms: the port is closed) and recovering`,
    `(${recovering} ms: one in four fails, one in four takes longer). One call in twenty is aborted by its caller at any`,
    "moment; the others share one signal. A call whose error says that nobody was charged is repeated with the same",
    `reference up to twice; with a store, which keeps ${ordersKept} orders, one that ended as unknown too, and a person settles what is`,
    "unresolved after each cycle, from the service's books. The books also tell who was charged twice, and who was charged although every",
    "call said that nobody was. The heap is measured after a garbage collection at the end of each cycle, when every",
    "call has ended; its growth is that from the least after the second cycle or a later one to the last. Node's own",
    `heap wavers by one or two percent, so the limit is ${GROWTH_LIMIT} %; the bytes a call below it say whether anything could`,
    "have been left behind by each, since no object is smaller than 16. Sockets left are those that the service still",
    `has when unused ones should be closed (${serverIdleMs === 0 ? "by the client, after 4 s" : "by the service"}).`,
  ].join(" ");
}

function countsOf(soaked: readonly Soaked[]): Table {
  return {
    caption: "What was left",
    columns: [
      "",
      "calls",
      "charges",
      "not ended",
      "ended otherwise",
      "charged twice",
      "charged, and told not",
      "not charged, and told so",
      "sockets left",
      "resources left",
      "listeners left",
      "ends by itself",
    ],
    rows: soaked.map((one) => [
      one.way,
      String(one.calls),
      String(one.charges),
      String(one.notEnded),
      String(one.endedOtherwise.length),
      String(one.chargedTwice),
      String(one.chargedUnknown),
      String(one.inventedResults),
      String(one.socketsLeft),
      [String(one.resourcesLeft.length), ...new Set(one.resourcesLeft)].join(" "),
      String(one.listenersLeft),
      one.endedByItself ? "yes" : "no",
    ]),
  };
}

function outcomesOf(soaked: readonly Soaked[]): Table {
  const names = [...new Set(soaked.flatMap(({ outcomes }) => Object.keys(outcomes)))].toSorted();
  return {
    caption: "How the calls ended",
    columns: ["outcome", ...soaked.map(({ way }) => way)],
    rows: names.map((name) => [name, ...soaked.map(({ outcomes }) => String(outcomes[name] ?? 0))]),
  };
}

function heapsOf(soaked: readonly Soaked[]): Table {
  const cycles = soaked[0]?.heaps.keys() ?? [];
  return {
    caption: "Heap in use at the end of each cycle, kB",
    columns: ["cycle", ...soaked.map(({ way }) => way)],
    rows: [
      ...[...cycles].map((cycle) => [
        String(cycle + 1),
        ...soaked.map(({ heaps }) => ((heaps[cycle] ?? 0) / 1000).toFixed(0)),
      ]),
      ["growth, %", ...soaked.map(({ heaps }) => growthOf(heaps).percent.toFixed(1))],
      [
        "growth, bytes a call",
        ...soaked.map(({ heaps, calls }) =>
          (growthOf(heaps).bytes / ((calls / heaps.length) * (heaps.length - 1))).toFixed(1),
        ),
      ],
    ],
  };
}

function aimsOf(soaked: readonly Soaked[]): Aim[] {
  const none = (what: string, count: (one: Soaked) => number): Aim => ({
    what: `Soak, all ways together: ${what}`,
    unit: "",
    limit: 0,
    found: soaked.map(count).reduce((sum, found) => sum + found, 0),
  });
  return [
    none("calls that did not end", ({ notEnded }) => notEnded),
    none("calls that ended without an outcome", ({ endedOtherwise }) => endedOtherwise.length),
    none("customers charged twice", ({ chargedTwice }) => chargedTwice),
    none(
      "calls that told something else of a charge than is true",
      ({ chargedUnknown, inventedResults }) => chargedUnknown + inventedResults,
    ),
    none(
      "timers and other resources left",
      ({ resourcesLeft, endedByItself }) => resourcesLeft.length + (endedByItself ? 0 : 1),
    ),
    none("sockets left", ({ socketsLeft }) => socketsLeft),
    none("listeners left on the caller's signal", ({ listenersLeft }) => listenersLeft),
    {
      what: "Soak, the worst of all ways: growth of the heap",
      unit: "%",
      limit: GROWTH_LIMIT,
      found: Math.max(...soaked.map(({ heaps }) => growthOf(heaps).percent)),
    },
  ];
}

/** From the least after the second cycle or a later one: Node itself gives a few MB back once. */
function growthOf(heaps: readonly number[]): { readonly bytes: number; readonly percent: number } {
  const least = Math.min(...heaps.slice(1));
  const bytes = (heaps.at(-1) ?? Number.NaN) - least;
  return { bytes, percent: (bytes / least) * 100 };
}

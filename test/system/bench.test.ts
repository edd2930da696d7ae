import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readCommandLine } from "../../bench/support/command-line.ts";
import { ALL_CONTENDERS, connectTo, contendersHere } from "../../bench/support/contenders.ts";
import { anAnswer, anOrder, KINDS } from "../../bench/support/orders.ts";
import { RESULTS } from "../../bench/support/results.ts";
import { runMeasurements } from "../../bench/support/run-measurements.ts";
import { json, startServer } from "../support/http-server.ts";
import { type Ran, tool } from "../support/tool.ts";

const MEASUREMENTS = [
  ["create", "A create"],
  ["idle", "A create after a pause"],
  ["allocations", "Bytes allocated by a create"],
  ["memory", "Memory over many creates"],
  ["start-up", "Start-up"],
  ["first-answer", "The first answer"],
  ["browser-bundle", "In the browser"],
  ["postbacks", "Taking a postback"],
  ["stores", "The idempotency stores"],
  ["sandbox", "The sandbox"],
  ["install", "Installed"],
  ["soak", "Soak: a service that is slow, fails and recovers"],
] as const;

const SECTION = { title: "Good", text: "", tables: [], aims: [] };

const bench = (...args: readonly string[]): Promise<Ran> => tool("node", ["bench/run.ts", ...args]);

const savedResults = () => (existsSync(RESULTS) ? readFileSync(RESULTS, "utf8") : undefined);

describe("npm run bench", () => {
  test.each(MEASUREMENTS)(
    "%s shows figures, also in a hurry, and leaves the results alone",
    async (name, title) => {
      const before = savedResults();

      const { code, stdout, stderr } = await bench(name, "--quick");

      expect(code, stderr).toBe(0);
      expect(stdout).toContain(`## ${title}\n`);
      expect(stdout).toMatch(/^\| .*\d/m);
      expect(stdout).not.toMatch(/NaN|Infinity|undefined/);
      expect(savedResults()).toBe(before);
    },
  );

  test("lists the measurements in the order in which they run", async () => {
    const { stdout } = await bench("--list");

    expect(stdout).toBe(`${MEASUREMENTS.map(([name]) => name).join("\n")}\n`);
  });

  test.each([
    [["speed"], "No measurement is called speed. There are: create, idle,"],
    [["create", "--only", "axios"], "No contender is called axios. There are: fetch,"],
    [["create", "--kinds", "boleto"], "No kind is called boleto. There are: card, pix8, pix20"],
    [["create", "--rounds", "0"], "Not a number of rounds: 0"],
  ])("%j is refused, and the names that there are are told", async (args, message) => {
    const { code, stderr } = await bench(...args);

    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  test.each([
    [[], true],
    [["--quick"], false],
    [["create"], false],
    [["--only", "fetch"], false],
    [["--kinds", "card"], false],
    [["--rounds", "2"], false],
  ])("asked for %j the results are kept: %s", (args, kept) => {
    const { everything } = readCommandLine(args);

    expect(everything).toBe(kept);
  });

  test("a measurement that fails is told, and those after it still run", async () => {
    const good = { name: "good", run: async () => SECTION };
    const bad = { name: "bad", run: () => Promise.reject(new Error("no figures")) };
    const failures: unknown[] = [];

    const { sections, failed } = await runMeasurements(
      [bad, good].map((measurement) => ({ name: measurement.name, load: async () => measurement })),
      (measurement) => measurement.run("quick"),
      { onSection: () => undefined, onFailure: (name, error) => failures.push([name, error]) },
    );

    expect(failed).toEqual(["bad"]);
    expect(failures).toEqual([["bad", new Error("no figures")]]);
    expect(sections).toEqual([SECTION]);
  });
});

describe("a contender", () => {
  test.each(contendersHere().flatMap(({ name, file }) => KINDS.map((kind) => ({ name, file, kind }))))(
    "$name sends the whole order of a $kind once and gives the answer's id",
    async ({ file, kind }) => {
      const { baseUrl, arrivals } = await startServer(json(201, anAnswer(kind)));
      const create = await connectTo({ file, baseUrl });
      const order = anOrder(kind, 77);

      const id = await create(order);

      expect(Number(id)).toBe(4021);
      expect(arrivals).toHaveLength(1);
      const ratio = (arrivals[0]?.body.length ?? 0) / JSON.stringify(order).length;
      expect(ratio).toBeGreaterThan(0.99);
      expect(ratio).toBeLessThan(1.2);
      for (const fact of ["order-77", "52998224725", "203.0.113.7"])
        expect(arrivals[0]?.body).toContain(fact);
    },
  );

  test.each([
    ["card", 1150, 1200],
    ["pix8", 800, 9400],
    ["pix20", 800, 21_400],
  ] as const)("is given a %s of about %d bytes, and an answer of about %d", (kind, request, answer) => {
    const bytes = (body: object) => JSON.stringify(body).length;

    expect(bytes(anOrder(kind, 77)) / request).toBeCloseTo(1, 1);
    expect(bytes(anAnswer(kind)) / answer).toBeCloseTo(1, 1);
  });

  test("our own are among those that are here", () => {
    const names = contendersHere().map(({ name }) => name);

    expect(names).toEqual(
      expect.arrayContaining(["fetch", "payments-sdk", "payments-sdk over nodeTransport"]),
    );
    expect(ALL_CONTENDERS).toEqual(expect.arrayContaining(names));
  });
});

import { describe, expect, test } from "vitest";
import { controlOf } from "../support/control.ts";
import { start } from "../support/running.ts";
import { aPix, merchantOf } from "../support/wire.ts";

async function open() {
  const sandbox = await start();
  return {
    ...sandbox,
    control: controlOf(sandbox),
    create: () => merchantOf(sandbox.gateway).create(aPix()),
  };
}

const FAULT = { on: "transactions.create", kind: "html_502" } as const;

const ALL = [
  "transactions.create",
  "cardTokens.create",
  "company.retrieve",
  "status.retrieve",
  "sellers.list",
  "sellers.revenue",
];

describe("GET faults", () => {
  test("tells the eleven kinds, each with what it does and where", async () => {
    const { control } = await open();

    const { status, body } = await control("GET", "faults");

    expect([status, body.armed]).toEqual([200, []]);
    expect(Object.fromEntries(body.kinds.map(({ kind, on }: never) => [kind, on]))).toEqual({
      charged_then_reset: ALL,
      charged_then_stalled: ALL,
      charged_then_500: ALL,
      stalled_body: ALL,
      redirect_307: ALL,
      html_502: ALL,
      truncated_json: ALL,
      unknown_status: ["transactions.create", "company.retrieve", "status.retrieve", "sellers.list"],
      drifted_body: ALL,
      rate_limited: ALL,
      refused_connection: ALL,
    });
    for (const { description } of body.kinds) expect(description).toMatch(/^(It is done|Not done).+\.$/);
  });

  test("tells what is armed, and what is left of it", async () => {
    const { control, gateway, create } = await open();
    gateway.faults.add({ ...FAULT, times: 3 });
    await create();

    expect((await control("GET", "faults")).body.armed).toEqual([{ id: 1, ...FAULT, times: 2 }]);
  });
});

describe("POST faults", () => {
  test.each([
    [FAULT, { id: 1, ...FAULT, times: 1 }],
    [
      { ...FAULT, times: 3 },
      { id: 1, ...FAULT, times: 3 },
    ],
  ])("%j arms it, and answers 201 with it", async (fault, armed) => {
    const { control, create } = await open();

    const answer = await control("POST", "faults", fault);

    expect(answer).toMatchObject({ status: 201, body: armed });
    expect((await create()).status).toBe(502);
  });

  test.each<[unknown, RegExp]>([
    [undefined, /^faults\.add: on must be one of/],
    [{ kind: "html_502" }, /^faults\.add: on must be one of/],
    [{ on: "transactions.create" }, /^faults\.add: kind must be one of/],
    [{ on: "cardTokens.create", kind: "unknown_status" }, /an answer of cardTokens\.create has no status/],
    [{ ...FAULT, times: 0 }, /^faults\.add: times must be a whole number, 1 or more/],
    [{ ...FAULT, times: "1" }, /^faults\.add: times must be a whole number/],
    [{ ...FAULT, time: 1 }, /^time is no field; known: on, kind, times\.$/],
    [{ ...FAULT, id: 7 }, /^id is no field/],
    ["html_502", /^The body must be a JSON object\.$/],
    [[FAULT], /^The body must be a JSON object\.$/],
  ])("%j is a 400, and arms nothing", async (fault, message) => {
    const { control, gateway } = await open();

    const { status, body } = await control("POST", "faults", fault);

    expect([status, body]).toEqual([400, { success: false, message: expect.stringMatching(message) }]);
    expect(gateway.faults.armed).toEqual([]);
  });
});

describe("DELETE faults", () => {
  test("takes away all", async () => {
    const { control, gateway } = await open();
    gateway.faults.add(FAULT);
    gateway.faults.add({ ...FAULT, on: "company.retrieve" });

    const answer = await control("DELETE", "faults");

    expect([answer.status, answer.body]).toEqual([204, undefined]);
    expect(gateway.faults.armed).toEqual([]);
  });

  test("with an id takes away that one, once", async () => {
    const { control, gateway } = await open();
    const first = gateway.faults.add(FAULT);
    const second = gateway.faults.add(FAULT);

    const statuses = [
      (await control("DELETE", `faults/${first.id}`)).status,
      (await control("DELETE", `faults/${first.id}`)).status,
    ];

    expect(statuses).toEqual([204, 404]);
    expect(gateway.faults.armed).toEqual([second]);
  });

  test.each(["9", "latest", "", "%00"])("of %j, which there is not, is a 404", async (id) => {
    const { control } = await open();

    const { status, body } = await control("DELETE", `faults/${id}`);

    expect(status).toBe(404);
    expect(body).toEqual({ success: false, message: expect.any(String) });
  });
});

import { expect, test } from "vitest";
import { openSandbox } from "../support/control.ts";
import { aPix } from "../support/wire.ts";

const FAULT = { on: "transactions.create", kind: "html_502" } as const;

const ALL = [
  "transactions.create",
  "cardTokens.create",
  "company.retrieve",
  "status.retrieve",
  "sellers.list",
  "sellers.revenue",
];

test("GET faults lists the twelve kinds, each with a description and its endpoints", async () => {
  const { control } = await openSandbox();

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
    pix_refused: ["transactions.create"],
    rate_limited: ALL,
    refused_connection: ALL,
  });
  for (const { description } of body.kinds) expect(description).toMatch(/^(Processed|Not processed).+\.$/);
});

test.each([
  [FAULT, 1],
  [{ ...FAULT, times: 3 }, 3],
])("POST faults with %j arms the fault %i times, and returns it with 201", async (fault, times) => {
  const { control, create } = await openSandbox();

  const response = await control("POST", "faults", fault);
  const broken = await create(aPix());

  expect(response).toMatchObject({ status: 201, body: { id: 1, ...FAULT, times } });
  expect(broken.status).toBe(502);
  expect((await control("GET", "faults")).body.armed).toEqual(
    times === 1 ? [] : [{ id: 1, ...FAULT, times: times - 1 }],
  );
});

test.each<[unknown, RegExp]>([
  [{ ...FAULT, times: "1" }, /^faults\.add: times must be a whole number/],
  [{ ...FAULT, time: 1 }, /^Unknown field time; known fields: on, kind, times\.$/],
])("POST faults with %j returns 400 and arms nothing", async (fault, message) => {
  const { control, gateway } = await openSandbox();

  const { status, body } = await control("POST", "faults", fault);

  expect([status, body]).toEqual([400, { success: false, message: expect.stringMatching(message) }]);
  expect(gateway.faults.armed).toEqual([]);
});

test("DELETE faults removes one fault by its id, or all of them", async () => {
  const { control, gateway } = await openSandbox();
  const first = gateway.faults.add(FAULT);
  const second = gateway.faults.add(FAULT);

  const one = [await control("DELETE", `faults/${first.id}`), await control("DELETE", `faults/${first.id}`)];
  const left = gateway.faults.armed;
  const all = await control("DELETE", "faults");

  expect(one.map(({ status }) => status)).toEqual([204, 404]);
  expect(left).toEqual([second]);
  expect([all.status, all.body, gateway.faults.armed]).toEqual([204, undefined, []]);
});

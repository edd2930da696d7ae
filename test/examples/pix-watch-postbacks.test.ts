import { describe, expect, test } from "vitest";
import { problemWith } from "../../examples/pix/wait-for-end.ts";
import { jsonLines } from "./support/run-example.ts";
import { idOf, post, watch } from "./support/watch-pix.ts";

describe("pix --watch takes for paid", () => {
  test("no other amount than the one that is due", async () => {
    const { running, gateway } = await watch("--json");
    const id = await idOf(running);

    const answer = await post(gateway, { id, status: "approved", amount: 1 });

    expect(answer).toBe(200);
    expect(await running.ended).toBe(1);
    expect(running.stderr()).toMatch(
      /^The postback is of R\$\s0,01, and not of R\$\s19,90: .+ dashboard\.\n$/,
    );
  });

  test("no other transaction than the one that it made", async () => {
    const { running, gateway } = await watch("--json");
    const id = await idOf(running);

    const answer = await post(gateway, { id: id + 1, status: "approved" });
    gateway.expire(id);

    expect(answer).toBe(200);
    expect(await running.ended).toBe(1);
    expect(jsonLines(running.stdout())).toMatchObject([{ id }, { id, status: "expired" }]);
  });

  test("a postback that comes after others of its transaction", async () => {
    const { running, gateway } = await watch("--json");
    const id = await idOf(running);
    await post(gateway, { id, status: "pending" });
    await post(gateway, { id, status: "processing" });

    gateway.pay(id);

    expect(await running.ended).toBe(0);
    expect(jsonLines(running.stdout())).toMatchObject([{ id }, { id, status: "approved" }]);
  });
});

test.each(["refused", "refunded", "chargedback", "settled"])(
  "pix --watch ends with 1 where a postback says %s, and tells it",
  async (status) => {
    const { running, gateway } = await watch("--json");
    const id = await idOf(running);

    const answer = await post(gateway, { id, status });

    expect(answer).toBe(200);
    expect(await running.ended).toBe(1);
    expect(jsonLines(running.stdout())).toMatchObject([{ id }, { id, rawStatus: status }]);
    expect(running.stderr()).toMatch(new RegExp(`^The pix is "?${status}"?[:,] .+\\n$`));
  },
);

test.each([
  ["approved", undefined],
  ["refused", "The pix is refused: nobody was charged."],
  ["expired", "The pix is expired: nobody was charged."],
  ["cancelled", "The pix is cancelled: nobody was charged."],
  ["refunded", "The pix is refunded: it was paid, and the money went back."],
  ["chargedback", "The pix is chargedback: it was paid, and the money went back."],
] as const)("what %s says of the money", (status, problem) => {
  const postback = { id: 1, status, rawStatus: status, amount: 1990, raw: {} };

  expect(problemWith(postback, 1990)).toBe(problem);
});

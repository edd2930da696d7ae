import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { type Turn, Turns } from "../../src/postbacks/turns.ts";

test("what the store answered for earlier postbacks is not kept while one of the order hangs", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const turns = new Turns();
  const enter = (id: number) =>
    turns.enter({ trust: "signed", externalRef: "order-1", id, rawStatus: "approved", amount: 1 }) as Turn;
  const hanging = enter(1);
  const answers: WeakRef<object>[] = [];

  for (let id = 2; id < 10; id += 1) {
    const turn = enter(id);
    await turn.oneByOne(1_000, async () => {
      const answer = {};
      answers.push(new WeakRef(answer));
      return answer;
    });
    turn.leave();
  }
  await new Promise((resolve) => setTimeout(resolve, 10));
  collectGarbage();

  expect(answers.filter((answer) => answer.deref() !== undefined)).toHaveLength(0);
  hanging.leave();
});

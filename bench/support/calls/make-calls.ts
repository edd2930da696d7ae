import type { Create } from "../contender.ts";
import { ANSWER_ID, anOrder, type Kind } from "../orders.ts";

/** How long each of a number of calls took, in milliseconds. */
export async function makeCalls(
  create: Create,
  kind: Kind,
  { count, atATime }: { count: number; atATime: number },
): Promise<Float64Array> {
  const took = new Float64Array(count);
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const call = next;
      next += 1;
      const start = performance.now();
      const id = await create(anOrder(kind, call));
      took[call] = performance.now() - start;
      if (Number(id) !== ANSWER_ID) throw new Error(`The answer's id was ${ANSWER_ID}, and ${id} came out.`);
    }
  };
  await Promise.all(Array.from({ length: atATime }, lane));
  return took;
}

import { expect, onTestFinished, test } from "vitest";
import { TargetBook } from "../../src/transport/target-book.ts";

const RULES = { maxSockets: 8, idleTimeout: 1_000, connectTimeout: 1_000 };
const NOBODY = { onConnection: () => undefined, onNoConnection: () => undefined };

/** More URLs than a book remembers. */
function findManyOthers(book: TargetBook): void {
  for (let port = 1_000; port < 1_100; port += 1) book.find(`http://127.0.0.1:${port}/`);
}

test("a host of which nobody uses a connection is forgotten, so that many hosts take no more and more room", () => {
  const book = new TargetBook(RULES);
  const { pool } = book.find("http://127.0.0.1:9/");

  findManyOthers(book);

  expect(book.find("http://127.0.0.1:9/").pool).not.toBe(pool);
});

test("one that somebody waits for is not: there would be two pools, and twice as many connections as allowed", () => {
  const book = new TargetBook(RULES);
  const { pool } = book.find("http://127.0.0.1:9/");
  pool.wait(NOBODY);
  onTestFinished(() => pool.leave(NOBODY));

  findManyOthers(book);

  expect(book.find("http://127.0.0.1:9/other").pool).toBe(pool);
});

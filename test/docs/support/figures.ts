import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");

/** A file of the repository, by its path from the root. */
export const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

/**
 * What a page says: the sentence as it stands there, wherever its lines break; what it says in the units of code, typed
 * in by hand; and what is found, where one looks.
 */
export type Claim = readonly [page: string, sentence: string, said: unknown, found: () => unknown];

/** The text of a page or of TSDoc, as if it had no lines. */
const onOneLine = (file: string) => textOf(file).replaceAll(/\s+(?:\* )?/g, " ");

/** What stands in a file in the place of the pattern's group. */
export const foundIn = (file: string, pattern: RegExp): string | undefined =>
  pattern.exec(onOneLine(file))?.[1];

/** A sentence that was put into other words brings its row along: the row would guard nothing. */
export function testClaims(claims: readonly Claim[]): void {
  test.each(claims)("%s is right: %s", async (page, sentence, said, found) => {
    const times = onOneLine(page).split(sentence).length - 1;

    const is = await found();

    expect(times, "how often the page says so").toBe(1);
    expect(is).toEqual(said);
  });
}

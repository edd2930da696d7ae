import { readFileSync } from "node:fs";
import { type Postback, parsePostback } from "payments-sdk/postbacks";
import { Failure, reasonOf } from "../unresolved/support/failure.ts";

/** The signed postbacks among the lines that `npm run -s example postbacks` has printed. */
export function readPostbacks(file: string | undefined): Postback[] {
  if (file === undefined) return [];
  const lines = readText(file)
    .split("\n")
    .filter((line) => line.trim() !== "");
  return lines.flatMap((line, index) => {
    try {
      const { result, trust, postback } = JSON.parse(line) as Record<string, unknown>;
      return result === "handled" && trust === "signed"
        ? [parsePostback(postback as Record<string, unknown>)]
        : [];
    } catch {
      throw new Failure(`${file}: line ${index + 1} is not one that the example postbacks has printed.`);
    }
  });
}

/** @throws {Failure} also where it is no UTF-8: two references could become the same text. */
export function readText(file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file)); // without a byte order mark
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${reasonOf(error)}`);
  }
}

import { expect, test } from "vitest";
import { unknownNames } from "../../src/schemas/known-names.ts";
import { PixRequest } from "../../src/schemas/transaction-request.ts";

test("a name that an object has by inheritance was not passed in, and is no unknown field", () => {
  const inherited = Object.assign(Object.create({ surprise: 1 }), { amount: 1990 });

  expect(unknownNames(PixRequest, inherited, {})).toEqual([]);
});

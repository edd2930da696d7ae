import { shopTests } from "payments-sdk/testing";
import { describe, test } from "vitest";
import { RightShop, startShop } from "./support/shop.ts";

describe("a right shop passes", () => {
  for (const { name, run } of shopTests({ start: (service) => startShop(RightShop, service) })) {
    test.concurrent(name, run);
  }
});

import { ConfigurationError } from "payments-sdk";
import { sqliteStore } from "payments-sdk/idempotency";
import { equal, type Part } from "./setting.ts";

/** What needs Node says so, and stands in nobody's way until it is used. */
const sqlite: Part = async () => {
  try {
    sqliteStore("payments.db");
  } catch (error) {
    equal(error instanceof ConfigurationError, true, `a ConfigurationError: ${error}`);
    return undefined;
  }
  throw new Error("there is a store that cannot be");
};

export const WITHOUT_NODE = { "no sqliteStore": sqlite };

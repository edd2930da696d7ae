import { describe, expect, test } from "vitest";
import {
  CARD_TOKEN_LIFETIME_MS,
  MEMORY_STORE_ORDERS,
  MEMORY_STORE_POSTBACKS,
  METADATA_MAX_BYTES,
  PIX_EXPIRY_DAYS,
  SELLERS_PER_PAGE,
  STATUS_RATE_LIMIT,
} from "../../src/spec/limits.ts";

describe("the limits of the specification", () => {
  test.each([
    ["requests to the status endpoint per IP per minute", STATUS_RATE_LIMIT.perMinute, 60],
    ["requests to the status endpoint per IP per hour", STATUS_RATE_LIMIT.perHour, 300],
    ["minutes that a card token is valid", CARD_TOKEN_LIFETIME_MS / 60_000, 5],
    ["days until a pix expires by default", PIX_EXPIRY_DAYS.default, 1],
    ["days until a pix expires at most", PIX_EXPIRY_DAYS.max, 30],
    ["sellers per page at most", SELLERS_PER_PAGE, 100],
  ])("%s: %d", (_what, ours, theirs) => {
    expect(ours).toBe(theirs);
  });
});

test.each([
  ["bytes of metadata", METADATA_MAX_BYTES, 64_000],
  ["orders that a store in memory keeps", MEMORY_STORE_ORDERS, 20_000],
  ["handled postbacks that it keeps", MEMORY_STORE_POSTBACKS, 20_000],
])("our own limit, because the specification shows none: %s", (_what, ours, documented) => {
  expect(ours).toBe(documented);
});

import { describe, expect, test } from "vitest";
import {
  COMPANY_STATUSES,
  COMPONENT_STATUSES,
  COMPONENTS,
  DOCUMENT_TYPES,
  ENVIRONMENTS,
  EVENT_NAMES,
  PAYMENT_METHODS,
  PUBLIC_KEY_PREFIX,
  SECRET_KEY_PREFIX,
  SELLER_STATUSES,
  SERVICE_STATUSES,
  TRANSACTION_STATUSES,
} from "../../src/spec/values.ts";

const sorted = (values: readonly string[]) => [...values].sort();

describe("the enumerations of the specification", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["payment methods: no boleto, no debit card", PAYMENT_METHODS, ["credit_card", "pix"]],
    [
      "transaction statuses",
      TRANSACTION_STATUSES,
      ["pending", "processing", "approved", "refused", "cancelled", "expired", "refunded", "chargedback"],
    ],
    ["document types", DOCUMENT_TYPES, ["cnpj", "cpf"]],
    ["company statuses", COMPANY_STATUSES, ["active", "pending", "suspended", "inactive"]],
    ["health of the whole", SERVICE_STATUSES, ["online", "degraded"]],
    ["health of a part", COMPONENT_STATUSES, ["online", "degraded", "offline"]],
    ["parts of the service", COMPONENTS, ["gateway", "database", "tokenizer", "notifications"]],
    ["environments", ENVIRONMENTS, ["production", "sandbox"]],
    ["seller statuses", SELLER_STATUSES, ["active", "inactive", "pending", "blocked"]],
    [
      "event names, where the cancellation has one l",
      EVENT_NAMES,
      [
        "transaction.approved",
        "transaction.refused",
        "transaction.refunded",
        "transaction.chargedback",
        "transaction.canceled",
      ],
    ],
  ])("%s", (_what, ours, theirs) => {
    expect(sorted(ours)).toEqual(sorted(theirs));
  });

  test("a secret key starts with sk_, a public key with pk_", () => {
    expect([SECRET_KEY_PREFIX, PUBLIC_KEY_PREFIX]).toEqual(["sk_", "pk_"]);
  });
});

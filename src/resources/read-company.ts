import { bare, isRecord, own } from "../data/own.ts";
import { readFields, type Shape, typeName } from "../data/read-fields.ts";
import { REDACTED } from "../data/redactor.ts";
import type { Deviate, Reading } from "../http/call.ts";
import { attachRawBody, inspectorOf } from "../http/result.ts";
import {
  bankShape,
  type Company,
  companyDocumentShape,
  companyLimitsShape,
  companyShape,
  configurationShape,
  paymentMethodsShape,
  settlementShape,
  webhookShape,
} from "./company-shape.ts";
import { recordOr } from "./read-record.ts";
import { readId } from "./transactions/transaction-id.ts";

/** The company in `{ success, data }`. Only its id must be there. Spec: "GET /api/v1/company". */
export function readCompany(body: unknown, deviate: Deviate): Reading<Company> {
  const inner = isRecord(body) ? own(body, "data") : undefined;
  const received = isRecord(inner) ? inner : body;
  if (!isRecord(received)) return { ok: false, issues: [{ field: "data", message: "is missing" }] };
  if (received === body) deviate({ field: "data", message: "came without its envelope" });
  const data = bare(received);
  const id = readId(data["id"]);
  if (typeof id !== "number") {
    return { ok: false, issues: [{ field: "data.id", message: `came as ${typeName(data["id"])}` }] };
  }
  if (typeof data["id"] !== "number") deviate({ field: "data.id", message: "came as a string" });
  const part = <S extends Shape>(shape: S, from: Record<string, unknown> | undefined, path: string) =>
    from === undefined ? {} : readFields(shape, from, `data.${path}`, deviate);
  const inside = (from: Record<string, unknown> | undefined, name: string, path: string) =>
    from === undefined ? undefined : recordOr(own(from, name), `data.${path}`, deviate);

  const configuration = inside(data, "configuration", "configuration");
  const settlement = inside(data, "settlement", "settlement");
  const company = {
    id,
    ...readFields(companyShape, data, "data", deviate),
    document: part(companyDocumentShape, inside(data, "document", "document"), "document"),
    paymentMethods: part(
      paymentMethodsShape,
      inside(data, "paymentMethods", "paymentMethods"),
      "paymentMethods",
    ),
    limits: part(companyLimitsShape, inside(data, "limits", "limits"), "limits"),
    configuration: {
      ...part(configurationShape, configuration, "configuration"),
      webhook: part(
        webhookShape,
        inside(configuration, "webhook", "configuration.webhook"),
        "configuration.webhook",
      ),
    },
    settlement: {
      ...part(settlementShape, settlement, "settlement"),
      bank: part(bankShape, inside(settlement, "bank", "settlement.bank"), "settlement.bank"),
    },
  };
  return { ok: true, data: attachRawBody(company, body, withoutWebhookUrl) };
}

/** The URL may carry a secret of the merchant's, as a postback URL does. */
const withoutWebhookUrl = inspectorOf((company: Omit<Company, "raw">) => {
  const { configuration } = company;
  if (configuration.webhook.url === undefined) return { ...company };
  const webhook = { ...configuration.webhook, url: REDACTED };
  return { ...company, configuration: { ...configuration, webhook } };
});

import { isRecord, own } from "../data/own.ts";
import { readFields, typeName } from "../data/read-fields.ts";
import type { Issue } from "../errors/issue.ts";
import type { Deviate, Reading } from "../http/call.ts";
import { attachRawBody } from "../http/result.ts";
import { recordOr } from "./read-record.ts";
import {
  revenueShape,
  type Seller,
  SellerId,
  type SellerRevenue,
  sellerRevenueShape,
  sellerShape,
} from "./seller-shape.ts";

/** Spec: "GET /sellers", "JSON array of Seller entries". */
export function readSellers(body: unknown, deviate: Deviate): Reading<Seller[]> {
  return readList(body, "id", deviate, (entry, id, path) =>
    attachRawBody({ id, ...readFields(sellerShape, entry, path, deviate) }, entry),
  );
}

/** Spec: "GET /sellers/revenue", "JSON array of Seller revenue entries". */
export function readSellerRevenues(body: unknown, deviate: Deviate): Reading<SellerRevenue[]> {
  return readList(body, "seller_id", deviate, (entry, id, path) => {
    const revenue = recordOr(own(entry, "revenue"), `${path}.revenue`, deviate);
    const fields = {
      seller_id: id,
      ...readFields(sellerRevenueShape, entry, path, deviate),
      revenue: revenue === undefined ? {} : readFields(revenueShape, revenue, `${path}.revenue`, deviate),
    };
    return attachRawBody(fields, entry);
  });
}

/** An entry that cannot be read fails the list: leaving it out would falsify a sum without a word. */
function readList<Entry>(
  body: unknown,
  idName: string,
  deviate: Deviate,
  readEntry: (entry: Record<string, unknown>, id: string, path: string) => Entry,
): Reading<Entry[]> {
  const inner = isRecord(body) ? own(body, "data") : undefined;
  const entries = Array.isArray(inner) ? inner : body;
  if (!Array.isArray(entries)) {
    return {
      ok: false,
      issues: [{ field: "", message: `the body came as ${typeName(body)}, not an array` }],
    };
  }
  if (entries !== body) deviate({ field: "data", message: "came in an envelope" });
  const issues: Issue[] = [];
  const data: Entry[] = [];
  for (const [index, entry] of entries.entries()) {
    const value: unknown = isRecord(entry) ? own(entry, idName) : undefined;
    const id = SellerId.safeParse(value);
    if (!isRecord(entry) || !id.success) {
      issues.push({ field: `${index}.${idName}`, message: `came as ${typeName(value)}` });
      continue;
    }
    if (id.data !== value) deviate({ field: `${index}.${idName}`, message: `came as ${typeName(value)}` });
    data.push(readEntry(entry, id.data, String(index)));
  }
  return issues.length === 0 ? { ok: true, data } : { ok: false, issues };
}

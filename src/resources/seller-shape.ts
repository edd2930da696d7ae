import * as z from "zod/mini";

/**
 * A seller. Enumerations are open strings: the service may add values.
 *
 * Spec: "Seller (list entry)".
 */
export interface Seller {
  /** Seller identifier; a number that came is written as text. */
  id: string;
  /** Name of the seller. */
  name?: string;
  /** Formatted CPF or CNPJ. */
  document?: string;
  /** `active`, `inactive`, `pending` or `blocked`. */
  status?: string;
  /** The entry as the service sent it. Not enumerable. */
  readonly raw: unknown;
}

/**
 * What a seller has earned, in reais with decimals, unlike every other amount: `toCents` makes cents of it.
 *
 * Spec: "Seller revenue (list entry)".
 */
export interface SellerRevenue {
  /** Seller identifier; a number that came is written as text. */
  seller_id: string;
  /** Name of the seller. */
  seller_name?: string;
  /** In reais, not in cents. */
  revenue: {
    /** BRL since the seller started. */
    total?: number;
    /** BRL in the current month. */
    month?: number;
  };
  /** The entry as the service sent it. Not enumerable. */
  readonly raw: unknown;
}

const text = z.string();

/** @internal A seller's id is a string; a service that writes a number means the same one. */
export const SellerId = z.union([
  text.check(z.minLength(1)),
  z.pipe(
    z.int(),
    z.transform((id: number) => String(id)),
  ),
]);

/** @internal */
export const sellerShape = { name: text, document: text, status: text };
/** @internal */
export const sellerRevenueShape = { seller_name: text };
/** @internal */
export const revenueShape = { total: z.number(), month: z.number() };

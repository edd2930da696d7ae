import { SELLERS_PER_PAGE } from "../spec/limits.ts";
import type { DocumentType, SELLER_STATUSES } from "../spec/values.ts";
import { type Clock, toTimestamp } from "./clock.ts";
import type { SandboxCompany } from "./sandbox-company.ts";
import type { SandboxTransaction } from "./transactions/sandbox-transaction.ts";

/** A seller that exists from the start. Spec: "Seller (list entry)" and "Seller revenue (list entry)". */
export interface SandboxSeller {
  /** Seller identifier. */
  readonly id: string;
  /** Name of the seller. */
  readonly name: string;
  /** Formatted CPF or CNPJ. */
  readonly document: string;
  /** It has no effect. */
  readonly status: (typeof SELLER_STATUSES)[number];
  /** ISO 8601. Sellers are sorted by it, newest first. */
  readonly createdAt: string;
  /**
   * Revenue before the gateway started, in reais. `month` is the part of `total` in the month in which the
   * gateway started. Default: none.
   */
  readonly revenue?: {
    /** Reais, since the seller started. */
    readonly total: number;
    /** Reais, in the month in which the gateway started. */
    readonly month: number;
  };
}

/**
 * The specification assigns no transaction to a seller. Here the revenue of the gateway's transactions, minus
 * refunds and chargebacks, belongs to the first seller.
 */
export function createSellers(
  sellers: readonly SandboxSeller[],
  clock: Clock,
  transactions: () => readonly SandboxTransaction[],
) {
  const startMonth = monthOf(toTimestamp(clock.now()));
  const [first] = sellers;
  const newestFirst = [...sellers].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));

  return {
    /** Spec: "GET /sellers": newest first, at most 100. */
    list: () =>
      newestFirst
        .slice(0, SELLERS_PER_PAGE)
        .map(({ id, name, document, status }) => ({ id, name, document, status })),

    /** Spec: "GET /sellers/revenue": every seller, in the same order. */
    revenue() {
      const thisMonth = monthOf(toTimestamp(clock.now()));
      const sales = transactions().filter(({ paidAmount }) => paidAmount > 0);
      const salesThisMonth = sales.filter((sale) => monthOf(paidAt(sale)) === thisMonth);

      return newestFirst.map((seller) => {
        const { total, month } = seller.revenue ?? { total: 0, month: 0 };
        const isFirst = seller === first;
        const totalCents = toCents(total) + (isFirst ? sumNetCents(sales) : 0);
        const initialCents = thisMonth === startMonth ? toCents(month) : 0;
        const monthCents = initialCents + (isFirst ? sumNetCents(salesThisMonth) : 0);
        return {
          seller_id: seller.id,
          seller_name: seller.name,
          revenue: { total: totalCents / 100, month: monthCents / 100 },
        };
      });
    },
  };
}

/** Three sellers. The first is the company itself. */
export function defaultSellers(company: SandboxCompany): readonly SandboxSeller[] {
  const { tradingName, document, createdAt } = company;
  return [
    {
      id: "seller_1",
      name: tradingName,
      document: formatDocument(document.type, document.number),
      status: "active",
      createdAt,
    },
    {
      id: "seller_2",
      name: "Livraria Exemplo",
      document: "98.765.432/0001-98",
      status: "active",
      createdAt: "2025-03-02T12:00:00.000Z",
      revenue: { total: 18450.9, month: 1299.5 },
    },
    {
      id: "seller_3",
      name: "Maria Exemplo",
      document: "529.982.247-25",
      status: "pending",
      createdAt: "2025-06-20T12:00:00.000Z",
    },
  ];
}

/** A chargeback subtracts everything that was not refunded. */
function sumNetCents(sales: readonly SandboxTransaction[]): number {
  const kept = sales.filter(({ status }) => status !== "chargedback");
  return kept.reduce((sum, { paidAmount, refundedAmount }) => sum + paidAmount - refundedAmount, 0);
}

function paidAt({ timeline, createdAt }: SandboxTransaction): string {
  return timeline.find(({ status }) => status === "approved")?.at ?? createdAt;
}

function monthOf(isoTimestamp: string): string {
  return isoTimestamp.slice(0, 7);
}

function toCents(reais: number): number {
  return Math.round(reais * 100);
}

function formatDocument(type: DocumentType, number: string): string {
  return type === "cpf"
    ? number.replace(/^(.{3})(.{3})(.{3})(.{2})$/, "$1.$2.$3-$4")
    : number.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, "$1.$2.$3/$4-$5");
}

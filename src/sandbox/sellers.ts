import { SELLERS_PER_PAGE } from "../spec/limits.ts";
import type { DocumentType, SELLER_STATUSES } from "../spec/values.ts";
import { type Clock, timestamp } from "./clock.ts";
import type { SandboxCompany } from "./company.ts";
import type { SandboxTransaction } from "./transaction.ts";

/** A seller that exists from the start. Spec: "Seller (list entry)" and "Seller revenue (list entry)". */
export interface SandboxSeller {
  /** Seller identifier. */
  readonly id: string;
  /** Name of the seller. */
  readonly name: string;
  /** Formatted CPF or CNPJ. */
  readonly document: string;
  /** Shown, and nothing more. */
  readonly status: (typeof SELLER_STATUSES)[number];
  /** ISO 8601. Sellers are listed by it, newest first. */
  readonly createdAt: string;
  /**
   * What was sold before the gateway started, in reais; `month` is the part of it in the month in which
   * the gateway started. Default: nothing.
   */
  readonly revenue?: {
    /** Reais, since the seller started. */
    readonly total: number;
    /** Reais, in the month in which the gateway started. */
    readonly month: number;
  };
}

export interface Sellers {
  /** Spec: "GET /sellers": newest first, at most 100. */
  list(): readonly object[];
  /** Spec: "GET /sellers/revenue", in the same order, of every seller. */
  revenue(): readonly object[];
}

/**
 * The specification ties no transaction to a seller. Here what the gateway's own transactions brought in,
 * refunds and chargebacks taken off, belongs to the first of the sellers.
 */
export function createSellers(
  sellers: readonly SandboxSeller[],
  clock: Clock,
  transactions: () => readonly SandboxTransaction[],
): Sellers {
  const startMonth = monthOf(timestamp(clock.now()));
  const [own] = sellers;
  const newestFirst = [...sellers].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));

  return {
    list: () =>
      newestFirst
        .slice(0, SELLERS_PER_PAGE)
        .map(({ id, name, document, status }) => ({ id, name, document, status })),

    revenue() {
      const thisMonth = monthOf(timestamp(clock.now()));
      const sales = transactions().filter(({ paidAmount }) => paidAmount > 0);
      const salesThisMonth = sales.filter((sale) => monthOf(paidAt(sale)) === thisMonth);

      return newestFirst.map((seller) => {
        const { total, month } = seller.revenue ?? { total: 0, month: 0 };
        const isOwn = seller === own;
        return {
          seller_id: seller.id,
          seller_name: seller.name,
          revenue: {
            total: reais(cents(total) + (isOwn ? earned(sales) : 0)),
            month: reais(
              (thisMonth === startMonth ? cents(month) : 0) + (isOwn ? earned(salesThisMonth) : 0),
            ),
          },
        };
      });
    },
  };
}

/** Three sellers, of which the first is the company itself. */
export function defaultSellers({
  tradingName,
  document,
  createdAt,
}: SandboxCompany): readonly SandboxSeller[] {
  return [
    {
      id: "seller_1",
      name: tradingName,
      document: formatted(document.type, document.number),
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

function earned(sales: readonly SandboxTransaction[]): number {
  return sales.reduce((sum, sale) => sum + keptOf(sale), 0);
}

/** A chargeback takes back all that was left. */
function keptOf({ status, paidAmount, refundedAmount }: SandboxTransaction): number {
  return status === "chargedback" ? 0 : paidAmount - refundedAmount;
}

function paidAt({ timeline, createdAt }: SandboxTransaction): string {
  return timeline.find(({ status }) => status === "approved")?.at ?? createdAt;
}

function monthOf(isoTimestamp: string): string {
  return isoTimestamp.slice(0, 7);
}

function cents(value: number): number {
  return Math.round(value * 100);
}

function reais(value: number): number {
  return value / 100;
}

function formatted(type: DocumentType, number: string): string {
  return type === "cpf"
    ? number.replace(/^(.{3})(.{3})(.{3})(.{2})$/, "$1.$2.$3-$4")
    : number.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, "$1.$2.$3/$4-$5");
}

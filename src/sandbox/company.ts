import type { COMPANY_STATUSES, DocumentType, EVENT_NAMES } from "../spec/values.ts";

/** The company that the gateway acts for. Spec: "Company". */
export interface SandboxCompany {
  readonly id: number;
  /** Legal name; also the merchant's name in pix codes. */
  readonly name: string;
  readonly tradingName: string;
  readonly document: { readonly type: DocumentType; readonly number: string };
  /** Shown by the company endpoint; it does not stop payments. */
  readonly status: (typeof COMPANY_STATUSES)[number];
  readonly createdAt: string;
  /** A method that is not enabled is refused with 400 on `paymentMethod`. */
  readonly paymentMethods: { readonly credit_card: boolean; readonly pix: boolean; readonly boleto: boolean };
  /** Cents, both included. */
  readonly limits: { readonly transactionMaxAmount: number; readonly transactionMinAmount: number };
  readonly configuration: {
    readonly webhook: { readonly url: string; readonly events: readonly (typeof EVENT_NAMES)[number][] };
    readonly notificationEmail: string;
    readonly autoCapture: boolean;
    readonly antifraudEnabled: boolean;
  };
  readonly settlement: {
    readonly bank: { readonly code: string; readonly branch: string; readonly account: string };
    readonly schedule: string;
    readonly automaticTransfer: boolean;
  };
}

/** A type with every field of it, and of the objects in it, optional. Lists are replaced as a whole. */
export type PartialOverrides<T> = {
  readonly [Key in keyof T]?: T[Key] extends readonly unknown[]
    ? T[Key]
    : T[Key] extends object
      ? PartialOverrides<T[Key]>
      : T[Key];
};

const DEFAULT_COMPANY: SandboxCompany = {
  id: 4010,
  name: "Loja Exemplo Ltda",
  tradingName: "Loja Exemplo",
  document: { type: "cnpj", number: "12345678000195" },
  status: "active",
  createdAt: "2025-01-15T12:00:00.000Z",
  paymentMethods: { credit_card: true, pix: true, boleto: false },
  limits: { transactionMaxAmount: 10_000_000, transactionMinAmount: 100 },
  configuration: {
    webhook: {
      url: "https://loja.example/postbacks",
      events: [
        "transaction.approved",
        "transaction.refused",
        "transaction.refunded",
        "transaction.chargedback",
        "transaction.canceled",
      ],
    },
    notificationEmail: "financeiro@loja.example",
    autoCapture: true,
    antifraudEnabled: true,
  },
  settlement: {
    bank: { code: "001", branch: "0001", account: "12345-6" },
    schedule: "D+2",
    automaticTransfer: true,
  },
};

export function createCompany(overrides: PartialOverrides<SandboxCompany> = {}): SandboxCompany {
  const base = DEFAULT_COMPANY;
  const { configuration, settlement } = overrides;
  return {
    ...base,
    ...overrides,
    document: { ...base.document, ...overrides.document },
    paymentMethods: { ...base.paymentMethods, ...overrides.paymentMethods },
    limits: { ...base.limits, ...overrides.limits },
    configuration: {
      ...base.configuration,
      ...configuration,
      webhook: { ...base.configuration.webhook, ...configuration?.webhook },
    },
    settlement: {
      ...base.settlement,
      ...settlement,
      bank: { ...base.settlement.bank, ...settlement?.bank },
    },
  };
}

/** Whether an amount in cents lies within the company's limits, both included. Spec: "Limits". */
export function isWithinLimits(amount: number, { limits }: SandboxCompany): boolean {
  return amount >= limits.transactionMinAmount && amount <= limits.transactionMaxAmount;
}

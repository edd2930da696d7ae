import type { COMPANY_STATUSES, DocumentType, EVENT_NAMES } from "../spec/values.ts";
import { isJsonObject } from "./wire-rules.ts";

/** The company that the gateway acts for. Spec: "Company". */
export interface SandboxCompany {
  /** Company identifier. */
  readonly id: number;
  /** Legal name; also the merchant's name in pix codes. */
  readonly name: string;
  /** Trade name. */
  readonly tradingName: string;
  /** Tax document of the company. */
  readonly document: {
    /** `cnpj` or `cpf`. */
    readonly type: DocumentType;
    /** Digits only. */
    readonly number: string;
  };
  /** Shown by the company endpoint; it does not stop payments. */
  readonly status: (typeof COMPANY_STATUSES)[number];
  /** ISO 8601. */
  readonly createdAt: string;
  /** A method that is not enabled is refused with 400 on `paymentMethod`. */
  readonly paymentMethods: {
    /** Payments with a credit card. */
    readonly credit_card: boolean;
    /** Payments by pix. */
    readonly pix: boolean;
    /** A flag and nothing more: no endpoint for it exists. */
    readonly boleto: boolean;
  };
  /** Cents, both included. */
  readonly limits: {
    /** Cents. */
    readonly transactionMaxAmount: number;
    /** Cents. */
    readonly transactionMinAmount: number;
  };
  /** Shown by the company endpoint, and nothing more. */
  readonly configuration: {
    /** Nothing is posted to it: see the option `postbacks`. */
    readonly webhook: {
      /** Global notification URL. */
      readonly url: string;
      /** Event names that it is set to. */
      readonly events: readonly (typeof EVENT_NAMES)[number][];
    };
    /** Address of notifications. */
    readonly notificationEmail: string;
    /** Shown, and nothing more. */
    readonly autoCapture: boolean;
    /** Shown, and nothing more: card numbers choose outcomes. */
    readonly antifraudEnabled: boolean;
  };
  /** Shown by the company endpoint, and nothing more. */
  readonly settlement: {
    /** The account that is paid out to. */
    readonly bank: {
      /** Bank code. */
      readonly code: string;
      /** Branch. */
      readonly branch: string;
      /** Account. */
      readonly account: string;
    };
    /** Settlement term such as `D+2`. */
    readonly schedule: string;
    /** Automatic or manual transfer. */
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

/** @throws {TypeError} for a field that a company does not have. */
export function createCompany(overrides: PartialOverrides<SandboxCompany> = {}): SandboxCompany {
  return merged(DEFAULT_COMPANY, overrides, "company");
}

/** The fields of `base`, those that are given in their place. */
function merged<T extends object>(base: T, given: object, path: string): T {
  const fields = Object.entries(given).map(([name, value]: [string, unknown]) => {
    if (!Object.hasOwn(base, name)) throw new TypeError(`createGateway: ${path}.${name} is no option.`);
    const before: unknown = base[name as keyof T];
    return [name, value === undefined ? before : replaced(before, value, `${path}.${name}`)];
  });
  return { ...base, ...Object.fromEntries(fields) };
}

function replaced(before: unknown, value: unknown, path: string): unknown {
  if (!isJsonObject(before)) return value;
  if (!isJsonObject(value)) throw new TypeError(`createGateway: ${path} must be an object.`);
  return merged(before, value, path);
}

/** Whether an amount in cents lies within the company's limits, both included. Spec: "Limits". */
export function isWithinLimits(amount: number, { limits }: SandboxCompany): boolean {
  return amount >= limits.transactionMinAmount && amount <= limits.transactionMaxAmount;
}

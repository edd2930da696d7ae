import { COMPANY_STATUSES, type DocumentType, EVENT_NAMES } from "../spec/values.ts";
import { isJsonObject, type JsonObject } from "./body-rules.ts";

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
  /** Shown by the company endpoint. It stops payments only with `suspendedPays: false`. */
  readonly status: (typeof COMPANY_STATUSES)[number];
  /** ISO 8601. */
  readonly createdAt: string;
  /** A method that is not enabled is refused with 400 on `paymentMethod`. */
  readonly paymentMethods: {
    /** Payments with a credit card. */
    readonly credit_card: boolean;
    /** Payments by pix. */
    readonly pix: boolean;
    /** Only a flag: no endpoint for it exists. */
    readonly boleto: boolean;
  };
  /** Inclusive limits of an amount. */
  readonly limits: {
    /** Cents. */
    readonly transactionMaxAmount: number;
    /** Cents. */
    readonly transactionMinAmount: number;
  };
  /** Returned by the company endpoint; only `webhook.events` can have an effect. */
  readonly configuration: {
    /** Nothing is posted to it: see the option `postbacks`. */
    readonly webhook: {
      /** Global notification URL. */
      readonly url: string;
      /** Names of the configured events. They limit postbacks only with `postbacks.onlyConfiguredEvents`. */
      readonly events: readonly (typeof EVENT_NAMES)[number][];
    };
    /** E-mail address for notifications. */
    readonly notificationEmail: string;
    /** It has no effect. */
    readonly autoCapture: boolean;
    /** It has no effect: the card number selects the outcome. */
    readonly antifraudEnabled: boolean;
  };
  /** Returned by the company endpoint; it has no effect. */
  readonly settlement: {
    /** The account for payouts. */
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

/** A type whose fields are all optional, including those of nested objects. Lists are replaced as a whole. */
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
    webhook: { url: "https://loja.example/postbacks", events: EVENT_NAMES },
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
  const company = merge(DEFAULT_COMPANY, overrides, "company");
  const { status, limits, configuration } = company;
  const { transactionMinAmount: min, transactionMaxAmount: max } = limits;
  const { events } = configuration.webhook;
  checkOption(COMPANY_STATUSES.includes(status), `company.status must be ${COMPANY_STATUSES.join(" or ")}`);
  const areEvents = Array.isArray(events) && events.every((name) => EVENT_NAMES.includes(name));
  checkOption(areEvents, `company.configuration.webhook.events must be a list of ${EVENT_NAMES.join(", ")}`);
  const areLimits = Number.isSafeInteger(min) && Number.isSafeInteger(max) && 0 <= min && min <= max;
  checkOption(areLimits, "company.limits must be whole numbers of cents, the minimum not above the maximum");
  return company;
}

/** The message must not contain the value of an option, which may be a key. */
export function checkOption(isValid: boolean, message: string): void {
  if (!isValid) throw new TypeError(`createGateway: ${message}.`);
}

/** The fields of `base`, replaced by those of `overrides`. */
function merge<T extends object>(base: T, overrides: unknown, path: string): T {
  checkOption(isJsonObject(overrides), `${path} must be an object`);
  const fields = Object.entries(overrides as JsonObject).map(([name, value]) => {
    checkOption(Object.hasOwn(base, name), `${path}.${name} is not an option`);
    const before: unknown = base[name as keyof T];
    if (value === undefined) return [name, before];
    return [name, isJsonObject(before) ? merge(before, value, `${path}.${name}`) : value];
  });
  return { ...base, ...Object.fromEntries(fields) };
}

/** Whether an amount in cents is within the company's limits, both included. Spec: "Limits". */
export function isWithinLimits(amount: number, { limits }: SandboxCompany): boolean {
  return amount >= limits.transactionMinAmount && amount <= limits.transactionMaxAmount;
}

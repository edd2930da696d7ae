import * as z from "zod/mini";
import { Integer } from "../data/integer.ts";

/**
 * The calling company's configuration. Enumerations are open strings: the service may add values.
 *
 * Spec: "Company".
 */
export interface Company {
  /** Company identifier. */
  id: number;
  /** Legal name. */
  name?: string;
  /** Trade name. */
  tradingName?: string;
  /** Tax document of the company. */
  document: {
    /** `cnpj` or `cpf`. */
    type?: string;
    /** Document number. */
    number?: string;
  };
  /** `active`, `pending`, `suspended` or `inactive`. */
  status?: string;
  /** Account creation timestamp, as it came. */
  createdAt?: string;
  /** Which methods are enabled. `boleto` is a flag only: no endpoint for it exists. */
  paymentMethods: {
    /** Payments with a credit card. */
    credit_card?: boolean;
    /** Payments by pix. */
    pix?: boolean;
    /** A flag and nothing more. */
    boleto?: boolean;
  };
  /** What a transaction may amount to. The service refuses an amount outside of it. */
  limits: {
    /** Cents. */
    transactionMaxAmount?: number;
    /** Cents. */
    transactionMinAmount?: number;
  };
  /** How the company is set up at the service. */
  configuration: {
    /** Where the service notifies of everything, and the event names that it is set to. */
    webhook: {
      /** Global notification URL. */
      url?: string;
      /** Event names such as `transaction.approved`. */
      events?: string[];
    };
    /** Address of notifications. */
    notificationEmail?: string;
    /** Whether payments are captured automatically, as the service names it. */
    autoCapture?: boolean;
    /** Whether anti-fraud rules are applied, as the service names it. */
    antifraudEnabled?: boolean;
  };
  /** Where and when the service pays out. */
  settlement: {
    /** The account that is paid out to. */
    bank: {
      /** Bank code. */
      code?: string;
      /** Branch. */
      branch?: string;
      /** Account. */
      account?: string;
    };
    /** Settlement term such as `D+1`, `D+2`, `D+30`. */
    schedule?: string;
    /** Automatic or manual transfer. */
    automaticTransfer?: boolean;
  };
  /** The body as the service sent it. Not enumerable. */
  readonly raw: unknown;
}

const text = z.string();

/** @internal */
export const companyShape = { name: text, tradingName: text, status: text, createdAt: text };
/** @internal */
export const companyDocumentShape = { type: text, number: text };
/** @internal */
export const paymentMethodsShape = { credit_card: z.boolean(), pix: z.boolean(), boleto: z.boolean() };
/** @internal */
export const companyLimitsShape = { transactionMaxAmount: Integer, transactionMinAmount: Integer };
/** @internal */
export const webhookShape = { url: text, events: z.array(text) };
/** @internal */
export const configurationShape = {
  notificationEmail: text,
  autoCapture: z.boolean(),
  antifraudEnabled: z.boolean(),
};
/** @internal */
export const bankShape = { code: text, branch: text, account: text };
/** @internal */
export const settlementShape = { schedule: text, automaticTransfer: z.boolean() };

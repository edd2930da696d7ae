import * as z from "zod/mini";
import { Integer } from "./integer.ts";

/**
 * The calling company's configuration. Enumerations are open strings: the service may add values.
 *
 * Spec: "Company".
 */
export interface Company {
  id: number;
  /** Legal name. */
  name?: string;
  /** Trade name. */
  tradingName?: string;
  document: {
    /** `cnpj` or `cpf`. */
    type?: string;
    number?: string;
  };
  /** `active`, `pending`, `suspended` or `inactive`. */
  status?: string;
  /** Account creation timestamp, as it came. */
  createdAt?: string;
  /** Which methods are enabled. `boleto` is a flag only: no endpoint for it exists. */
  paymentMethods: { credit_card?: boolean; pix?: boolean; boleto?: boolean };
  limits: {
    /** Cents. */
    transactionMaxAmount?: number;
    /** Cents. */
    transactionMinAmount?: number;
  };
  configuration: {
    /** Where the service notifies of everything, and the event names that it is set to. */
    webhook: { url?: string; events?: string[] };
    notificationEmail?: string;
    autoCapture?: boolean;
    antifraudEnabled?: boolean;
  };
  settlement: {
    bank: { code?: string; branch?: string; account?: string };
    /** Settlement term such as `D+1`, `D+2`, `D+30`. */
    schedule?: string;
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

import {
  type Drift,
  describeType,
  readFields,
  toFlag,
  toId,
  toInteger,
  toText,
  toTexts,
} from "../data/json.ts";
import { isRecord, ownProperty } from "../data/own-properties.ts";
import { REDACTED } from "../data/redactor.ts";
import type { Account } from "../http/config.ts";
import { attachRawBody, inspectAs, type PaymentsPromise, toPaymentsPromise } from "../http/result.ts";
import { endpoints } from "../spec/endpoints.ts";
import type { COMPANY_STATUSES, DocumentType, OpenEnum } from "../spec/values.ts";
import type { ReadOptions } from "./query.ts";
import { noResult, type Parsed, read } from "./read-resource.ts";

/**
 * The calling company's configuration. Enumerations are open: the service may add values.
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
    type?: OpenEnum<DocumentType>;
    /** Document number. */
    number?: string;
  };
  /**
   * `active` (operational), `pending` (onboarding in progress), `suspended` (operations temporarily suspended) or
   * `inactive`.
   */
  status?: OpenEnum<(typeof COMPANY_STATUSES)[number]>;
  /** Account creation timestamp, as received. */
  createdAt?: string;
  /** The enabled payment methods. `boleto` is only a flag: it has no endpoint. */
  paymentMethods: {
    /** Payments with a credit card. */
    credit_card?: boolean;
    /** Payments by pix. */
    pix?: boolean;
    /** Only a flag. */
    boleto?: boolean;
  };
  /** Limits of the amount of a transaction. The service refuses other amounts. */
  limits: {
    /** Cents. */
    transactionMaxAmount?: number;
    /** Cents. */
    transactionMinAmount?: number;
  };
  /** The company's settings at the service. */
  configuration: {
    /** The global webhook: its URL and its events. */
    webhook: {
      /** Global notification URL. */
      url?: string;
      /** Event names such as `transaction.approved`. */
      events?: string[];
    };
    /** E-mail address for notifications. */
    notificationEmail?: string;
    /** Whether payments are captured automatically, as the service names it. */
    autoCapture?: boolean;
    /** Whether anti-fraud rules are applied, as the service names it. */
    antifraudEnabled?: boolean;
  };
  /** Where and when the service pays out. */
  settlement: {
    /** The account for payouts. */
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

/** The endpoint of the calling company. */
export class CompanyResource {
  readonly #account: Account;

  /** @internal */
  constructor(account: Account) {
    this.#account = account;
  }

  /**
   * Retrieves the configuration of the calling company, with its limits in cents.
   *
   * ```ts
   * const { limits, paymentMethods } = await payments.company.retrieve();
   * ```
   *
   * Spec: "GET /api/v1/company".
   *
   * @throws {AuthenticationError} on 401.
   * @throws {UnexpectedResponseError} if the response has no company.
   */
  retrieve(options?: ReadOptions): PaymentsPromise<Company> {
    return toPaymentsPromise(read(this.#account, endpoints.retrieveCompany, options, parseCompany));
  }
}

const FIELDS = {
  name: toText,
  tradingName: toText,
  document: { type: toText, number: toText },
  status: toText,
  createdAt: toText,
  paymentMethods: { credit_card: toFlag, pix: toFlag, boleto: toFlag },
  limits: { transactionMaxAmount: toInteger, transactionMinAmount: toInteger },
  configuration: {
    webhook: { url: toText, events: toTexts },
    notificationEmail: toText,
    autoCapture: toFlag,
    antifraudEnabled: toFlag,
  },
  settlement: {
    bank: { code: toText, branch: toText, account: toText },
    schedule: toText,
    automaticTransfer: toFlag,
  },
};

/** The company in `{ success, data }`. Only its id is required. */
function parseCompany(body: unknown, drift: Drift[]): Parsed<Company> {
  const inner = isRecord(body) ? ownProperty(body, "data") : undefined;
  const data = isRecord(inner) ? inner : body;
  if (!isRecord(data)) return noResult("data", "is missing");
  if (isRecord(body) && data !== body) readFields({ success: toFlag }, body, "", drift);
  else drift.push({ field: "data", message: "is missing: the response has no envelope" });
  const receivedId = ownProperty(data, "id");
  const id = toId(receivedId);
  const message = `is ${describeType(receivedId)}`;
  if (typeof id !== "number") return noResult("data.id", message);
  if (typeof receivedId !== "number") drift.push({ field: "data.id", message });
  const company = { id, ...readFields(FIELDS, data, "data.", drift) };
  return { ok: true, data: attachRawBody(company, body, inspectWithoutWebhookUrl) };
}

/** Like a postback URL, the URL may contain a secret of the merchant. */
const inspectWithoutWebhookUrl = inspectAs((company: Omit<Company, "raw">) => {
  const { webhook, ...kept } = company.configuration;
  const shown = webhook.url === undefined ? webhook : { ...webhook, url: REDACTED };
  return { ...company, configuration: { webhook: shown, ...kept } };
});

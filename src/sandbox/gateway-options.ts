import { ENVIRONMENTS, PUBLIC_KEY_PREFIX, SECRET_KEY_PREFIX } from "../spec/values.ts";
import { LAST_MOMENT } from "./clock.ts";
import { createCompany, type PartialOverrides, type SandboxCompany } from "./company.ts";
import {
  type PostbackOptions,
  type PostbackSettings,
  postbackSettings,
} from "./postbacks/postback-options.ts";
import { unpredictableSeed } from "./random.ts";
import { defaultSellers, type SandboxSeller } from "./sellers.ts";

/** The secret key of a gateway that was given none. It opens nothing but sandboxes. */
export const SANDBOX_SECRET_KEY = "sk_sandbox_secret";
/** The public key of a gateway that was given none. It opens nothing but sandboxes. */
export const SANDBOX_PUBLIC_KEY = "pk_sandbox_public";

/** Options of {@link createGateway}. */
export interface GatewayOptions {
  /**
   * Chooses everything random: ids, codes, tokens, latencies. Two gateways with one seed, one `now` and
   * the same calls give the same bodies. A whole number, of which the lowest 32 bits count. Default: another
   * one each time.
   */
  readonly seed?: number;
  /**
   * Where the gateway believes to be: its own path counts, and links in its answers start with it; the
   * host of a request is not looked at. Default `https://sandbox.payments.test`.
   */
  readonly baseUrl?: string;
  /** Starts with `sk_`, holds no colon. Default {@link SANDBOX_SECRET_KEY}. */
  readonly secretKey?: string;
  /** Starts with `pk_`. Default {@link SANDBOX_PUBLIC_KEY}. */
  readonly publicKey?: string;
  /**
   * Fields of the company to replace, also single ones inside `limits` and the like. Default: an active
   * company with both methods enabled and limits of 100 to 10,000,000 cents.
   */
  readonly company?: PartialOverrides<SandboxCompany>;
  /** In any order. Default: the company itself and two more. */
  readonly sellers?: readonly SandboxSeller[];
  /** What the status endpoint says. Default `sandbox`. Spec: "Versioning", rule 3. */
  readonly environment?: (typeof ENVIRONMENTS)[number];
  /**
   * Which fields a pix must have: `guide` leaves out those that the pix guide calls optional, `endpoint`
   * asks for all that the endpoint lists. Default `guide`. The specification says both.
   */
  readonly pixFields?: "guide" | "endpoint";
  /**
   * What an amount outside the company's limits gets: with `refused` a card is answered 201 and refused,
   * and a pix, which cannot be refused, 400; with `validation` both get 400. Default `refused`.
   */
  readonly outsideLimits?: "refused" | "validation";
  /** Whether a cnpj may have letters, valid since July 2026. Default `false`: "digits only". */
  readonly alphanumericCnpj?: boolean;
  /**
   * Where the clock stands, in milliseconds since 1970 or as a date; it then moves by `clock.advance()`
   * only. Default: the machine's time, which goes on by itself.
   */
  readonly now?: number | Date;
  /** How changes of status are posted to the `postbackUrl`: delay, retries, duplicates, order. */
  readonly postbacks?: PostbackOptions;
}

/** {@link GatewayOptions} with every default in its place. */
export interface GatewaySettings {
  readonly seed: number;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly publicKey: string;
  readonly company: SandboxCompany;
  readonly sellers: readonly SandboxSeller[];
  readonly environment: (typeof ENVIRONMENTS)[number];
  readonly pixFields: "guide" | "endpoint";
  readonly outsideLimits: "refused" | "validation";
  readonly alphanumericCnpj: boolean;
  readonly now: number | undefined;
  readonly postbacks: PostbackSettings;
}

/** What an option may be, where it is one of a few; and every name that an option may have. */
const ALLOWED: Readonly<Record<keyof GatewayOptions, readonly unknown[] | undefined>> = {
  seed: undefined,
  baseUrl: undefined,
  secretKey: undefined,
  publicKey: undefined,
  company: undefined,
  sellers: undefined,
  environment: ENVIRONMENTS,
  pixFields: ["guide", "endpoint"],
  outsideLimits: ["refused", "validation"],
  alphanumericCnpj: [true, false],
  now: undefined,
  postbacks: undefined,
};

/** A misspelt option would leave a test without what it is about. */
function checkOptions(options: GatewayOptions): void {
  const allowed = new Map<string, readonly unknown[] | undefined>(Object.entries(ALLOWED));
  for (const [name, value] of Object.entries(options)) {
    check(allowed.has(name), `${name} is no option`);
    const values = allowed.get(name);
    check(
      value === undefined || values === undefined || values.includes(value),
      `${name} must be ${values?.join(" or ")}`,
    );
  }
}

/** @throws {TypeError} when an option is not known, or when a key, the base URL, the seed or the time is not what its option says. */
export function resolveOptions(options: GatewayOptions): GatewaySettings {
  checkOptions(options);
  const { secretKey = SANDBOX_SECRET_KEY, publicKey = SANDBOX_PUBLIC_KEY } = options;
  const { seed = unpredictableSeed(), now } = options;
  const company = createCompany(options.company);
  const postbacks = postbackSettings(options.postbacks ?? {});

  check(isKey(secretKey, SECRET_KEY_PREFIX), "secretKey must start with sk_ and hold no colon or space");
  check(isKey(publicKey, PUBLIC_KEY_PREFIX), "publicKey must start with pk_ and hold no colon or space");
  check(Number.isSafeInteger(seed), "seed must be a whole number");
  check(
    now === undefined || (Number(now) >= 0 && Number(now) <= LAST_MOMENT),
    "now must be a date or milliseconds, from 1970 to 9999",
  );
  if (typeof postbacks === "string") throw new TypeError(`createGateway: ${postbacks}.`);

  return {
    postbacks,
    seed,
    baseUrl: normalBaseUrl(options.baseUrl ?? "https://sandbox.payments.test"),
    secretKey,
    publicKey,
    company,
    sellers: options.sellers ?? defaultSellers(company),
    environment: options.environment ?? "sandbox",
    pixFields: options.pixFields ?? "guide",
    outsideLimits: options.outsideLimits ?? "refused",
    alphanumericCnpj: options.alphanumericCnpj ?? false,
    now: now === undefined ? undefined : Number(now),
  };
}

function normalBaseUrl(value: string): string {
  check(URL.canParse(value) && /^https?:/i.test(value), "baseUrl must be an absolute http or https URL");
  const { origin, pathname } = new URL(value);
  return `${origin}${pathname}`.replace(/\/+$/, "");
}

/** Printable ASCII only: anything else does not survive Basic authentication in one piece. */
function isKey(value: string, prefix: string): boolean {
  return value.startsWith(prefix) && value.length > prefix.length && /^[!-9;-~]+$/.test(value);
}

/** The message names the option and never its value, which may be a key. */
function check(holds: boolean, message: string): void {
  if (!holds) throw new TypeError(`createGateway: ${message}.`);
}

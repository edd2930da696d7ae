import { endpoints, SELLERS_PATH } from "../spec/endpoints.ts";
import {
  COMPONENT_STATUSES,
  COMPONENTS,
  type ENVIRONMENTS,
  PUBLIC_KEY_PREFIX,
  SECRET_KEY_PREFIX,
} from "../spec/values.ts";
import { LAST_MOMENT } from "./clock.ts";
import {
  type PostbackOptions,
  type PostbackSettings,
  resolvePostbackOptions,
} from "./postbacks/postback-options.ts";
import { checkOption, createCompany, type PartialOverrides, type SandboxCompany } from "./sandbox-company.ts";
import { defaultSellers, type SandboxSeller } from "./sandbox-sellers.ts";

/** The default secret key of a gateway. It is valid for sandboxes only. */
export const SANDBOX_SECRET_KEY = "sk_sandbox_secret";
/** The default public key of a gateway. It is valid for sandboxes only. */
export const SANDBOX_PUBLIC_KEY = "pk_sandbox_public";

/** Options of {@link createGateway}. */
export interface GatewayOptions {
  /**
   * Seed for everything random: ids, codes, tokens, latencies. Two gateways with the same seed, the same `now`
   * and the same calls return the same bodies. An integer, of which only the lowest 32 bits are used. Default: random.
   */
  readonly seed?: number;
  /**
   * URL of the gateway for its clients. Its path is the prefix of every endpoint, and links in responses
   * start with it. The host of a request is ignored. Default `https://sandbox.payments.test`.
   */
  readonly baseUrl?: string;
  /** Starts with `sk_` and contains no colon. Default {@link SANDBOX_SECRET_KEY}. */
  readonly secretKey?: string;
  /** Starts with `pk_`. Default {@link SANDBOX_PUBLIC_KEY}. */
  readonly publicKey?: string;
  /**
   * Fields of the company to override, including nested ones. Default: an active company with both payment methods
   * enabled and limits of 100 to 10,000,000 cents.
   */
  readonly company?: PartialOverrides<SandboxCompany>;
  /** The sellers, in any order. Default: the company itself and two more. */
  readonly sellers?: readonly SandboxSeller[];
  /** Environment that the status endpoint reports. Default `sandbox`. Spec: "Versioning", rule 3. */
  readonly environment?: (typeof ENVIRONMENTS)[number];
  /**
   * Required fields of a pix: `guide` requires only what the pix guide requires, `endpoint` requires everything
   * that the endpoint lists. Default `guide`. The specification states both.
   */
  readonly pixFields?: "guide" | "endpoint";
  /**
   * Response to an amount outside the company's limits. With `by_method`, a card gets 201 and is refused, and a pix,
   * which the specification does not refuse, gets 400. With `refused`, both get 201 and are refused, a pix without a
   * code. With `validation`, both get 400. Default `by_method`.
   */
  readonly outsideLimits?: "by_method" | "refused" | "validation";
  /**
   * Whether a company whose status is not `active` can create transactions. With `false`, creating one is a 400 on
   * `paymentMethod`. Default `true`: the specification only describes `suspended` as "operations temporarily suspended".
   */
  readonly suspendedPays?: boolean;
  /**
   * How a postback spells the status of a cancelled pix. Default `canceled`, as in the specification's list for a pix.
   * A card payment is always `cancelled`, and so are the objects of the gateway itself, such as `gateway.transactions`.
   */
  readonly pixCancelledAs?: "canceled" | "cancelled";
  /**
   * Status of a pix that {@link Gateway.med} returned. Default `refunded`: the specification lists `chargedback` for cards
   * only, and does not mention the MED.
   */
  readonly pixReturnedAs?: "refunded" | "chargedback";
  /**
   * Path of the seller endpoints under the base URL, such as `/api/v1/sellers`; revenue is below it. Use the same path in
   * `PaymentsClient({ sellersPath })`. Default `/sellers`: the specification shows no prefix.
   */
  readonly sellersPath?: string;
  /**
   * Whether the seller endpoints require the keys: with `basic`, a call without them is a 401. Use the same in
   * `PaymentsClient({ sellersAuth })`. Default `basic`. The specification contradicts itself.
   */
  readonly sellersAuth?: "basic" | "none";
  /**
   * Health of each component, as the status endpoint reports it; nothing else changes. The overall status is `degraded`
   * as soon as one component is not `online`. Default: all `online`. Spec: "Service status".
   */
  readonly services?: Partial<ComponentHealth>;
  /** Whether a cnpj can contain letters, which is valid since July 2026. Default `false`: "digits only". */
  readonly alphanumericCnpj?: boolean;
  /**
   * Fixed time of the clock, in milliseconds since 1970 or as a date. Only `clock.advance()` changes it.
   * Default: the machine's clock.
   */
  readonly now?: number | Date;
  /** How postbacks are sent to the `postbackUrl`: delay, retries, duplicates, order, and which statuses. */
  readonly postbacks?: PostbackOptions;
}

/** Health of each component of the service. Spec: "Service status". */
export type ComponentHealth = Readonly<
  Record<(typeof COMPONENTS)[number], (typeof COMPONENT_STATUSES)[number]>
>;

/** The options that take one of a few values, the default first. */
const CHOICES = {
  environment: ["sandbox", "production"],
  pixFields: ["guide", "endpoint"],
  outsideLimits: ["by_method", "refused", "validation"],
  alphanumericCnpj: [false, true],
  suspendedPays: [true, false],
  pixCancelledAs: ["canceled", "cancelled"],
  pixReturnedAs: ["refunded", "chargedback"],
  sellersAuth: ["basic", "none"],
} as const satisfies { readonly [Name in keyof GatewayOptions]?: readonly GatewayOptions[Name][] };

type Choices = { readonly [Name in keyof typeof CHOICES]: (typeof CHOICES)[Name][number] };

/** {@link GatewayOptions} with defaults applied; `baseUrl` and `sellersPath` have no trailing slash. */
export interface GatewaySettings
  extends Required<Omit<GatewayOptions, "seed" | "company" | "services" | "now" | "postbacks">> {
  readonly seed: number | undefined;
  readonly company: SandboxCompany;
  readonly services: ComponentHealth;
  readonly now: number | undefined;
  readonly postbacks: PostbackSettings;
}

function resolveChoices(options: GatewayOptions): Choices {
  const resolved = Object.entries<readonly unknown[]>(CHOICES).map(([name, values]) => {
    const { [name as keyof Choices]: value = values[0] } = options;
    checkOption(values.includes(value), `${name} must be ${values.join(" or ")}`);
    return [name, value];
  });
  return Object.fromEntries(resolved) as Choices;
}

/** @throws {TypeError} when an option is unknown or has an invalid value. */
export function resolveOptions(options: GatewayOptions): GatewaySettings {
  const { secretKey = SANDBOX_SECRET_KEY, publicKey = SANDBOX_PUBLIC_KEY } = options;
  const { seed, sellersPath = SELLERS_PATH, now } = options;
  const company = createCompany(options.company);

  checkKey("secretKey", secretKey, SECRET_KEY_PREFIX);
  checkKey("publicKey", publicKey, PUBLIC_KEY_PREFIX);
  checkOption(seed === undefined || Number.isSafeInteger(seed), "seed must be a whole number");
  const pathRule = "such as /api/v1/sellers, without a slash at its end, and of no other endpoint or page";
  checkOption(isPath(sellersPath), `sellersPath must be a path ${pathRule}`);
  const isTime = now === undefined || (Number(now) >= 0 && Number(now) <= LAST_MOMENT);
  checkOption(isTime, "now must be a date or milliseconds, from 1970 to 9999");

  const settings: GatewaySettings = {
    ...resolveChoices(options),
    seed,
    baseUrl: normalizeBaseUrl(options.baseUrl ?? "https://sandbox.payments.test"),
    secretKey,
    publicKey,
    company,
    sellers: options.sellers ?? defaultSellers(company),
    sellersPath,
    services: resolveServices(options.services ?? {}),
    now: now === undefined ? undefined : Number(now),
    postbacks: resolvePostbackOptions(options.postbacks ?? {}),
  };
  // With a misspelled option, a test would not test what its author expects.
  for (const name of Object.keys(options)) {
    checkOption(Object.hasOwn(settings, name), `${name} is not an option`);
  }
  return settings;
}

function resolveServices(services: Partial<ComponentHealth>): ComponentHealth {
  for (const [name, health] of Object.entries(services)) {
    const isKnown = COMPONENTS.some((known) => known === name);
    checkOption(isKnown, `services.${name} is not a component; known: ${COMPONENTS.join(", ")}`);
    const isHealth = health === undefined || COMPONENT_STATUSES.includes(health);
    checkOption(isHealth, `services.${name} must be ${COMPONENT_STATUSES.join(" or ")}`);
  }
  return Object.fromEntries(COMPONENTS.map((name) => [name, services[name] ?? "online"])) as ComponentHealth;
}

/** A path that no URL parser changes, and that is not of another endpoint, the control API or the checkout. */
function isPath(value: string): boolean {
  const isTaken = Object.values(endpoints).some(
    ({ path }) => !path.startsWith(SELLERS_PATH) && [value, `${value}/revenue`].includes(path),
  );
  return (
    /^(?:\/[\w\-.~]+)+$/.test(value) &&
    new URL(value, "https://service.test").pathname === value &&
    !/^\/(?:sandbox|checkout)(?:\/|$)/.test(value) &&
    !isTaken
  );
}

function normalizeBaseUrl(value: string): string {
  const isWebUrl = URL.canParse(value) && /^https?:/i.test(value);
  checkOption(isWebUrl, "baseUrl must be an absolute http or https URL");
  const { origin, pathname } = new URL(value);
  return `${origin}${pathname}`.replace(/\/+$/, "");
}

/** Printable ASCII only, without the colon that separates the keys in Basic authentication. */
function checkKey(name: string, value: string, prefix: string): void {
  const isKey = value.startsWith(prefix) && value.length > prefix.length && /^[!-9;-~]+$/.test(value);
  checkOption(isKey, `${name} must start with ${prefix} and contain no colon or space`);
}

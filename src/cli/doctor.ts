import type { Command } from "commander";
import type { Company, PaymentsClientOptions, ServiceStatus } from "../index.ts";
import { createCommand, HEADER_OPTION } from "./command.ts";
import { Failure, Reported } from "./command-failure.ts";
import type { Context } from "./context.ts";
import {
  addStoreFlags,
  describeNamespaces,
  listNamespaces,
  type OpenStore,
  type StoreFlags,
  withStore,
} from "./open-store.ts";
import { dim, green, Output, red, type Text, yellow } from "./output.ts";
import { readSettings, readSigner, type Settings } from "./settings.ts";
import { displayUrl, isLoopback, readWebUrl } from "./urls.ts";

interface Flags extends StoreFlags {
  readonly baseUrl?: string;
  readonly postbackUrl?: string;
  readonly header?: boolean;
}

interface CheckResult {
  readonly result: "ok" | "warning" | "failed" | "skipped";
  readonly finding: string;
  /** A failure and most warnings have one. */
  readonly fix?: string;
}

type Check = () => CheckResult | Promise<CheckResult>;

type Row = CheckResult & { readonly check: string };

export function doctorCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "doctor",
    summary: "Check the settings, the service and the company, and print a fix for each problem.",
    details:
      "It does not charge anyone or change any order. The exit code is 1 if a check failed. Keys and secrets are read from the environment or .env: PAYMENTS_SECRET_KEY, PAYMENTS_PUBLIC_KEY, PAYMENTS_POSTBACK_SECRET.",
    examples: [
      "payments doctor",
      "payments doctor --store /srv/shop/payments.db --postback-url https://shop.example/postbacks",
    ],
  })
    .option("--base-url <url>", "URL of the service (default: PAYMENTS_BASE_URL)")
    .option("--postback-url <url>", "URL that receives the postbacks (default: PAYMENTS_POSTBACK_URL)")
    .option(...HEADER_OPTION);

  return addStoreFlags(command).action(async (flags: Flags) => {
    const output = new Output(context, flags.json, flags.header);
    const rows = await runChecks(context, flags);
    const isFailed = rows.some(({ result }) => result === "failed");

    output.result({ ok: !isFailed, checks: rows }, () => printRows(output, rows, context.stdout.isTTY));
    if (isFailed) throw new Reported();
  });
}

/** A check that depends on a failed one is skipped. */
async function runChecks(context: Context, flags: Flags): Promise<readonly Row[]> {
  const settings = readSettings(context);
  const rows: Row[] = [];
  const check = async (name: string, needs: readonly Row[], run: Check) => {
    const missing = needs.find(({ result }) => result === "failed" || result === "skipped");
    const result = missing ? skipped(`needs: ${missing.check}`) : await runSafely(run);
    const row = { check: name, ...result };
    rows.push(row);
    return row;
  };
  const baseUrl = settings("PAYMENTS_BASE_URL", flags.baseUrl);
  const secretKey = settings("PAYMENTS_SECRET_KEY");
  const publicKey = settings("PAYMENTS_PUBLIC_KEY");
  const postbackUrl = settings("PAYMENTS_POSTBACK_URL", flags.postbackUrl);
  let response: StatusResponse;

  await check("Node.js", [], () => checkNode(process.versions.node));
  const base = await check("Base URL", [], () => checkBaseUrl(baseUrl));
  const secret = await check("Secret key", [], () => checkKey("secretKey", secretKey));
  const open = await check("Public key", [], () => checkKey("publicKey", publicKey));
  const service = await check("Service", [base], async () => {
    response = await retrieveStatus(baseUrl ?? "");
    return checkService(response);
  });
  await check("Clock", [service], () => checkClock(response));
  await check("Company", [service, secret, open], () => checkCompany({ baseUrl, secretKey, publicKey }));
  const store = await check("Store", [], () => checkStore(context, settings, flags));
  await check("Postbacks", [store], () => withStore(context, flags, countOpenPostbacks));
  await check("Postback signer", [], () => checkSigner(settings));
  await check("Postback URL", [], () => checkPostbackUrl(postbackUrl, settings, baseUrl));
  return rows;
}

const NEW_SECRET = "Set it to the output of: openssl rand -base64 32";

/** By the code of the error. Failures with other codes are those of the store. */
const FIXES: Readonly<Record<string, string>> = {
  authentication_failed: "Check that both keys belong to this company and to this environment.",
  configuration: NEW_SECRET,
  connection_failed: "Check PAYMENTS_BASE_URL, DNS, the proxy and the firewall. Is a sandbox running?",
  invalid_url: "Use a URL such as https://shop.example/postbacks.",
  no_such_store: "Check the path. The shop creates the file when it first starts.",
  no_tables: "Let the shop call migrate(), or create the tables as docs/stores.md shows.",
  not_found: "Check the path in PAYMENTS_BASE_URL.",
  store_check:
    "Fix what it names: the connection (PAYMENTS_STORE), the tables or the permissions (docs/stores.md).",
  timed_out: "Check the network, and try again.",
  unexpected_response: "Check that PAYMENTS_BASE_URL is the URL of the payment service.",
};

/** An error of the SDK or of this command contains no secret. */
async function runSafely(run: Check): Promise<CheckResult> {
  try {
    return await run();
  } catch (error) {
    const { code = "", message } = error as { code?: string; message: string };
    const finding = firstSentence(error);
    const advice = message.slice(finding.length).replace(/^[.\s]+/, ""); // such as that of a driver
    const fix = (code === "store_check" && advice) || FIXES[code];
    if (fix) return failed(finding, fix);
    if (!(error instanceof Failure)) return failed(finding, "Try again later.");
    return failed(finding, advice || "Check PAYMENTS_STORE, and that its server runs.");
  }
}

const COLORS = { ok: green, warning: yellow, failed: red, skipped: dim };

/** In a terminal a fix has a line of its own, elsewhere a column. */
function printRows(output: Output, rows: readonly Row[], isTerminal = false): void {
  const lines = rows.flatMap(({ check, result, finding, fix }): Text[][] => {
    const line = [check, COLORS[result](result), finding];
    if (!isTerminal) return [[...line, fix ?? ""]];
    return fix === undefined ? [line] : [line, ["", "", dim(`Fix: ${fix}`)]];
  });
  output.table(["check", "result", "finding", ...(isTerminal ? [] : ["fix"])], lines);
  if (!isTerminal) return;
  output.line();
  output.line(summaryOf(rows));
}

function summaryOf(rows: readonly Row[]): Text {
  const count = (result: CheckResult["result"]) => rows.filter((row) => row.result === result).length;
  const [problems, warnings] = [count("failed"), count("warning")];
  if (problems + warnings === 0) return green("No problems found.");
  const text = `${problems} failed, ${warnings} ${warnings === 1 ? "warning" : "warnings"}.`;
  return problems > 0 ? red(text) : yellow(text);
}

const ok = (finding: string): CheckResult => ({ result: "ok", finding });
const warning = (finding: string, fix: string): CheckResult => ({ result: "warning", finding, fix });
const failed = (finding: string, fix: string): CheckResult => ({ result: "failed", finding, fix });
const skipped = (finding: string): CheckResult => ({ result: "skipped", finding });
const notSet = (fix: string): CheckResult => failed("not set", fix);

const TIMEOUT_MS = 10_000;

/** Above this, valid tokens and signed URLs may look expired, or expired ones valid. */
const CLOCK_DIFFERENCE_MAX_S = 30;

/** A longer URL may be cut off by a service that stores it in a column of the usual size. */
const POSTBACK_URL_COMMON_CHARACTERS = 255;

/** A sample order for a test signature. A UUID has this length. */
const SAMPLE_ORDER = { externalRef: "00000000-0000-4000-8000-000000000000", amount: 1990 } as const;

export function checkNode(version: string): CheckResult {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) return ok(version);
  return failed(`${version} is too old`, "Install Node 22.13 or newer.");
}

async function checkBaseUrl(baseUrl: string | undefined): Promise<CheckResult> {
  if (baseUrl === undefined) return notSet("Set PAYMENTS_BASE_URL, or pass --base-url.");
  const problem = await checkOptions({ baseUrl }, "Set PAYMENTS_BASE_URL to the service's URL.");
  return problem ?? ok(displayUrl(new URL(baseUrl)));
}

async function checkKey(name: "secretKey" | "publicKey", key: string | undefined): Promise<CheckResult> {
  const variable = name === "secretKey" ? "PAYMENTS_SECRET_KEY" : "PAYMENTS_PUBLIC_KEY";
  if (key === undefined) return notSet(`Set ${variable} in the environment or in .env.`);
  const problem = await checkOptions({ [name]: key }, `Copy the key into ${variable} again.`);
  return problem ?? ok(`${key.slice(0, 3)}...${key.length < 16 ? "" : key.slice(-4)}`);
}

/** The client's own check of these options. Its messages contain no key. */
async function checkOptions(options: PaymentsClientOptions, fix: string): Promise<CheckResult | undefined> {
  return await createClient(options).then(
    () => undefined,
    (error: unknown) => failed(firstSentence(error), fix),
  );
}

/** The rest of a message says whether the customer was charged, and repeats the fix. */
function firstSentence(error: unknown): string {
  const [sentence = ""] = (error as Error).message.split(/(?<!\.)\. /); // not after "postgres://..."
  return sentence.replace(/\.$/, "");
}

/** Without retries, and without settings of the environment. */
async function createClient(options: PaymentsClientOptions) {
  const { PaymentsClient } = await import("../index.ts");
  const unused = { baseUrl: "https://unused.invalid", secretKey: "sk_unused", publicKey: "pk_unused" };
  return new PaymentsClient({ ...unused, timeout: TIMEOUT_MS, maxRetries: 0, ...options });
}

interface StatusResponse {
  readonly status: ServiceStatus;
  readonly durationMs: number;
  /** By how much this machine's clock is ahead of the service's; NaN without the header `Date`. */
  readonly aheadMs: number;
}

async function retrieveStatus(baseUrl: string): Promise<StatusResponse> {
  const client = await createClient({ baseUrl });
  const { data: status, response } = await client.status.retrieve().withResponse();
  const durationMs = Math.round(response.durationMs);
  // The header has whole seconds, rounded down. It was set about halfway between the request and its response.
  const serviceTime = Date.parse(response.headers.get("date") ?? "") + 500;
  return { status, durationMs, aheadMs: Date.now() - durationMs / 2 - serviceTime };
}

function checkService({ status, durationMs }: StatusResponse): CheckResult {
  const { services } = status;
  if (status.environment === undefined && Object.keys(services).length === 0) {
    // The next check would send the keys there.
    throw new Failure("unexpected_response", "the response contains no environment and no components");
  }
  const environment = status.environment ?? "unknown environment";
  const health = status.status ?? "unknown health";
  const finding = `${environment}, ${health}, responded in ${durationMs} ms`;
  const down = Object.entries(services).filter(([, state]) => state !== "online");
  if (status.status === "online" && down.length === 0) return ok(finding);
  const parts = down.length === 0 ? "" : ` (${down.map(([name, state]) => `${name} ${state}`).join(", ")})`;
  return warning(`${finding}${parts}`, "Expect failures until the service has recovered.");
}

function checkClock({ aheadMs }: StatusResponse): CheckResult {
  if (Number.isNaN(aheadMs)) return skipped("the service sends no Date header");
  const seconds = Math.round(aheadMs / 1000);
  const size = Math.abs(seconds);
  if (size <= CLOCK_DIFFERENCE_MAX_S) return ok(`${size} s from the service's clock`);
  const direction = seconds > 0 ? "ahead of" : "behind";
  return warning(
    `${size} s ${direction} the service's clock`,
    "Synchronize this machine's clock: card tokens and signed URLs depend on it.",
  );
}

async function checkCompany(options: PaymentsClientOptions): Promise<CheckResult> {
  const client = await createClient(options);
  const { status, paymentMethods, tradingName, name, id } = await client.company.retrieve();
  const disabled = (["pix", "credit_card"] as const).filter((method) => paymentMethods[method] === false);
  const shownName = tradingName ?? name ?? `company ${id}`;
  const company = `${shownName}: ${status ?? "unknown status"}`;
  const inactive = STATUS_FIXES.get(status);
  if (inactive !== undefined) return failed(company, inactive);
  const finding = `${company}, not enabled: ${disabled.join(", ")}`;
  const enable = "Ask the service to enable it.";
  if (disabled.length === 2) return failed(finding, enable);
  if (status !== "active") return warning(company, "Ask the service whether the company can take payments.");
  if (disabled.length === 1) return warning(finding, enable);
  return ok(`${company}, pix and credit_card enabled`);
}

/** Spec: "Company", `status`. */
const STATUS_FIXES: ReadonlyMap<Company["status"], string> = new Map([
  ["pending", "Complete the onboarding with the service."],
  ["suspended", "Ask the service why operations are suspended."],
  ["inactive", "Ask the service to activate the company."],
]);

async function checkStore(context: Context, settings: Settings, flags: StoreFlags): Promise<CheckResult> {
  if (settings("PAYMENTS_STORE", flags.store) === undefined) {
    return skipped("to check it, set PAYMENTS_STORE or --store");
  }
  return await withStore(context, flags, examineStore);
}

async function examineStore(opened: OpenStore): Promise<CheckResult> {
  const { name, namespace, store } = opened;
  const problems = await store.check();
  const [error] = problems.filter(({ level }) => level === "error");
  if (error) throw new Failure("store_check", `${name}: ${error.message}`);
  const names = await store.namespaces();
  if (names.length === 0) return ok(`${name}: opens, no orders yet`);
  if (!names.includes(namespace)) {
    return warning(`${name}: no orders in namespace "${namespace}"`, describeNamespaces(names));
  }
  const { unresolved, unreadable } = (await store.stats()).orders;
  const what = `${unresolved || "no"} unresolved ${unresolved === 1 ? "order" : "orders"}`;
  const damaged = unreadable > 0 ? `, damaged records: ${unreadable}` : "";
  const finding = nameNamespaces(opened, names, what + damaged);
  const list = unresolved + unreadable > 0 ? ["List them with payments orders list --state unresolved."] : [];
  const fixes = [...list, ...problems.map(({ message }) => message)];
  return fixes.length === 0 ? ok(finding) : warning(finding, fixes.join(" "));
}

async function countOpenPostbacks(opened: OpenStore): Promise<CheckResult> {
  const { failed, abandoned } = (await opened.store.stats()).postbacks;
  const names = await opened.store.namespaces();
  const finding = nameNamespaces(opened, names, `${failed} failed, ${abandoned} abandoned`);
  return failed + abandoned === 0 ? ok(finding) : warning(finding, "List them with payments postbacks list.");
}

/** The result of one namespace, with the others of its database. */
function nameNamespaces({ name, namespace }: OpenStore, names: readonly string[], result: string): string {
  const others = names.filter((other) => other !== namespace);
  const unread = others.length > 0 ? `; not read: ${listNamespaces(others)}` : "";
  return `${name}, namespace "${namespace}": ${result}${unread}`;
}

async function checkSigner(settings: Settings): Promise<CheckResult> {
  const signer = await readSigner(settings);
  if (signer === undefined) {
    const finding = "PAYMENTS_POSTBACK_SECRET is not set: a forged postback cannot be detected";
    return warning(finding, NEW_SECRET);
  }
  await signer.verify(await signer.sign("https://shop.example/postbacks", SAMPLE_ORDER), SAMPLE_ORDER);
  return ok("signs and verifies postback URLs");
}

async function checkPostbackUrl(
  text: string | undefined,
  settings: Settings,
  baseUrl: string | undefined,
): Promise<CheckResult> {
  if (text === undefined) return skipped("to check it, set PAYMENTS_POSTBACK_URL or --postback-url");
  const url = readWebUrl("It", text);
  const problem = findAddressProblem(url, baseUrl) ?? (await findLengthProblem(url, settings));
  return problem ?? (await probe(url));
}

function findAddressProblem(url: URL, baseUrl = ""): CheckResult | undefined {
  const shown = displayUrl(url);
  if (URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname)) return undefined; // a sandbox
  if (isLoopback(url.hostname)) {
    const fix = "Use a public URL, such as that of a tunnel. To develop, use a sandbox.";
    return failed(`${shown} is on this machine, where the service cannot reach it`, fix);
  }
  if (url.protocol === "https:") return undefined;
  return failed(`${shown} is http, so others on the network can read the postbacks`, "Use https.");
}

async function findLengthProblem(url: URL, settings: Settings): Promise<CheckResult | undefined> {
  const signer = await readSigner(settings).catch(() => undefined); // a row of its own
  const fix = "Use a shorter URL.";
  try {
    const signed = signer ? await signer.sign(url.href, SAMPLE_ORDER) : url.href;
    const { length } = new URL(signed).href;
    if (length <= POSTBACK_URL_COMMON_CHARACTERS) return undefined;
    const size = `has ${length} characters${signer ? " once signed" : ""}`;
    return warning(`${size}: a service may cut off URLs above ${POSTBACK_URL_COMMON_CHARACTERS}`, fix);
  } catch (error) {
    return failed(firstSentence(error), fix);
  }
}

/** Receivers accept only POST, so any status passes except those of a wrong path or a broken server. */
async function probe(url: URL): Promise<CheckResult> {
  const shown = displayUrl(url);
  const init = { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
  const response = await fetch(url, init).catch(() => undefined);
  if (response === undefined) {
    const fix = "Start the server, and check DNS, its certificate and the firewall.";
    return failed(`${shown} does not respond`, fix);
  }
  const { status } = response;
  const finding = `${shown} returns ${status} to HEAD`;
  if (status >= 300 && status < 400) return warning(finding, "Use the URL that it redirects to.");
  const isMissing = status === 404 || status === 410;
  if (isMissing) return warning(finding, "Check the path: your receiver may not be there.");
  if (status >= 500) return warning(finding, "Check the log of your server.");
  return ok(finding);
}

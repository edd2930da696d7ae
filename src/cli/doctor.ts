import type { Command } from "commander";
import type { Company, PaymentsClientOptions, ServiceStatus } from "../index.ts";
import { createCommand, headerOption } from "./command.ts";
import { Failure, Reported } from "./command-failure.ts";
import type { Context } from "./context.ts";
import { type Texts, t } from "./language.ts";
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
    summary: t(
      "Check the settings, the service and the company, and print a fix for each problem.",
      "Confere as configurações, o serviço e a empresa, e mostra a correção de cada problema.",
    ),
    details: t(
      "It does not charge anyone or change any order. The exit code is 1 if a check failed. Keys and secrets are read from the environment or .env: PAYMENTS_SECRET_KEY, PAYMENTS_PUBLIC_KEY, PAYMENTS_POSTBACK_SECRET.",
      "Não cobra ninguém nem muda nenhum pedido. O código de saída é 1 se algo falhou. Chaves e segredos vêm do ambiente ou do .env: PAYMENTS_SECRET_KEY, PAYMENTS_PUBLIC_KEY, PAYMENTS_POSTBACK_SECRET.",
    ),
    examples: [
      "payments doctor",
      "payments doctor --store /srv/shop/payments.db --postback-url https://shop.example/postbacks",
    ],
  })
    .option(
      "--base-url <url>",
      t("URL of the service (default: PAYMENTS_BASE_URL)", "URL do serviço (padrão: PAYMENTS_BASE_URL)"),
    )
    .option(
      "--postback-url <url>",
      t(
        "URL that receives the postbacks (default: PAYMENTS_POSTBACK_URL)",
        "URL que recebe os postbacks (padrão: PAYMENTS_POSTBACK_URL)",
      ),
    )
    .option(...headerOption());

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
    const row = {
      check: name,
      ...(missing ? skipped(`${t("needs", "depende de")}: ${missing.check}`) : await runSafely(run)),
    };
    rows.push(row);
    return row;
  };
  const baseUrl = settings("PAYMENTS_BASE_URL", flags.baseUrl);
  const secretKey = settings("PAYMENTS_SECRET_KEY");
  const publicKey = settings("PAYMENTS_PUBLIC_KEY");
  const postbackUrl = settings("PAYMENTS_POSTBACK_URL", flags.postbackUrl);
  let response: StatusResponse;

  await check("Node.js", [], () => checkNode(process.versions.node));
  const base = await check(t("Base URL", "URL base"), [], () => checkBaseUrl(baseUrl));
  const secret = await check(t("Secret key", "Chave secreta"), [], () => checkKey("secretKey", secretKey));
  const open = await check(t("Public key", "Chave pública"), [], () => checkKey("publicKey", publicKey));
  const service = await check(t("Service", "Serviço"), [base], async () => {
    response = await retrieveStatus(baseUrl ?? "");
    return checkService(response);
  });
  await check(t("Clock", "Relógio"), [service], () => checkClock(response));
  await check(t("Company", "Empresa"), [service, secret, open], () =>
    checkCompany({ baseUrl, secretKey, publicKey }),
  );
  const store = await check("Store", [], () => checkStore(context, settings, flags));
  await check("Postbacks", [store], () => withStore(context, flags, countOpenPostbacks));
  await check(t("Postback signer", "Assinatura de postbacks"), [], () => checkSigner(settings));
  await check(t("Postback URL", "URL de postbacks"), [], () =>
    checkPostbackUrl(postbackUrl, settings, baseUrl),
  );
  return rows;
}

/** By the code of the error. Failures with other codes are those of the store. */
const FIXES: Readonly<Record<string, Texts>> = {
  authentication_failed: [
    "Check that both keys belong to this company and to this environment.",
    "Confira se as duas chaves são desta empresa e deste ambiente.",
  ],
  configuration: [
    "Set it to the output of: openssl rand -base64 32",
    "Use a saída de: openssl rand -base64 32",
  ],
  connection_failed: [
    "Check PAYMENTS_BASE_URL, DNS, the proxy and the firewall. Is a sandbox running?",
    "Confira PAYMENTS_BASE_URL, o DNS, o proxy e o firewall. Há um sandbox rodando?",
  ],
  invalid_url: [
    "Use a URL such as https://shop.example/postbacks.",
    "Use uma URL como https://loja.example/postbacks.",
  ],
  no_such_store: [
    "Check the path. The shop creates the file when it first starts.",
    "Confira o caminho. A loja cria o arquivo quando roda pela primeira vez.",
  ],
  no_tables: [
    "Let the shop call migrate(), or create the tables as docs/stores.md shows.",
    "Faça a loja chamar migrate(), ou crie as tabelas como docs/stores.md mostra.",
  ],
  not_found: ["Check the path in PAYMENTS_BASE_URL.", "Confira o path em PAYMENTS_BASE_URL."],
  store_check: [
    "Fix what it names: the connection (PAYMENTS_STORE), the tables or the permissions (docs/stores.md).",
    "Corrija o que ele aponta: a conexão (PAYMENTS_STORE), as tabelas ou as permissões (docs/stores.md).",
  ],
  timed_out: ["Check the network, and try again.", "Confira a rede e tente de novo."],
  unexpected_response: [
    "Check that PAYMENTS_BASE_URL is the URL of the payment service.",
    "Confira se PAYMENTS_BASE_URL é a URL do serviço de pagamentos.",
  ],
};

function fixFor(code: string): string | undefined {
  const fix = FIXES[code];
  return fix && t(...fix);
}

/** An error of the SDK or of this command contains no secret. */
async function runSafely(run: Check): Promise<CheckResult> {
  try {
    return await run();
  } catch (error) {
    const { code = "", message } = error as { code?: string; message: string };
    const finding = firstSentence(error);
    const advice = message.slice(finding.length).replace(/^[.\s]+/, ""); // such as that of a driver
    const checkStore = t(
      "Check PAYMENTS_STORE, and that its server runs.",
      "Confira PAYMENTS_STORE, e se o servidor está no ar.",
    );
    const later = t("Try again later.", "Tente de novo mais tarde.");
    const fix = (code === "store_check" && advice) || fixFor(code);
    return failed(finding, fix ?? (error instanceof Failure ? advice || checkStore : later));
  }
}

const LABELS = {
  ok: [green, "ok"],
  warning: [yellow, "aviso"],
  failed: [red, "falha"],
  skipped: [dim, "pulado"],
} as const;

/** In a terminal a fix has a line of its own, elsewhere a column. */
function printRows(output: Output, rows: readonly Row[], isTerminal = false): void {
  const lines = rows.flatMap(({ check, result, finding, fix }): Text[][] => {
    const [color, portuguese] = LABELS[result];
    const line = [check, color(t(result, portuguese)), finding];
    if (!isTerminal) return [[...line, fix ?? ""]];
    return fix === undefined ? [line] : [line, ["", "", dim(`${t("Fix", "Correção")}: ${fix}`)]];
  });
  output.table(["check", "result", "finding", ...(isTerminal ? [] : (["fix"] as const))], lines);
  if (!isTerminal) return;
  output.line();
  output.line(summaryOf(rows));
}

function summaryOf(rows: readonly Row[]): Text {
  const count = (result: CheckResult["result"]) => rows.filter((row) => row.result === result).length;
  const [problems, warnings] = [count("failed"), count("warning")];
  if (problems + warnings === 0) return green(t("No problems found.", "Nenhum problema encontrado."));
  const text = t(
    `${problems} failed, ${warnings} ${warnings === 1 ? "warning" : "warnings"}.`,
    `${problems} ${problems === 1 ? "falha" : "falhas"}, ${warnings} ${warnings === 1 ? "aviso" : "avisos"}.`,
  );
  return problems > 0 ? red(text) : yellow(text);
}

const ok = (finding: string): CheckResult => ({ result: "ok", finding });
const warning = (finding: string, fix: string): CheckResult => ({ result: "warning", finding, fix });
const failed = (finding: string, fix: string): CheckResult => ({ result: "failed", finding, fix });
const skipped = (finding: string): CheckResult => ({ result: "skipped", finding });
const notSet = (fix: string): CheckResult => failed(t("not set", "não definida"), fix);

const TIMEOUT_MS = 10_000;

/** Above this, valid tokens and signed URLs may look expired, or expired ones valid. */
const CLOCK_DIFFERENCE_MAX_S = 30;

/** A longer URL may be cut off by a service that stores it in a column of the usual size. */
const POSTBACK_URL_COMMON_CHARACTERS = 255;

/** A sample order for a test signature. A UUID has this length. */
const SAMPLE_ORDER = { externalRef: "00000000-0000-4000-8000-000000000000", amount: 1990 } as const;

export function checkNode(version: string): CheckResult {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isSupported = major > 22 || (major === 22 && minor >= 13);
  if (isSupported) return ok(version);
  const fix = t("Install Node 22.13 or newer.", "Instale Node 22.13 ou superior.");
  return failed(`${version} ${t("is too old", "é muito antigo")}`, fix);
}

async function checkBaseUrl(baseUrl: string | undefined): Promise<CheckResult> {
  if (baseUrl === undefined) {
    return notSet(
      t("Set PAYMENTS_BASE_URL, or pass --base-url.", "Defina PAYMENTS_BASE_URL, ou use --base-url."),
    );
  }
  const fix = t("Set PAYMENTS_BASE_URL to the service's URL.", "Defina PAYMENTS_BASE_URL: a URL do serviço.");
  const problem = await checkOptions({ baseUrl }, fix);
  return problem ?? ok(displayUrl(new URL(baseUrl)));
}

async function checkKey(name: "secretKey" | "publicKey", key: string | undefined): Promise<CheckResult> {
  const variable = name === "secretKey" ? "PAYMENTS_SECRET_KEY" : "PAYMENTS_PUBLIC_KEY";
  if (key === undefined) {
    return notSet(
      t(`Set ${variable} in the environment or in .env.`, `Defina ${variable} no ambiente ou no .env.`),
    );
  }
  const fix = t(`Copy the key into ${variable} again.`, `Copie a chave para ${variable} de novo.`);
  const problem = await checkOptions({ [name]: key }, fix);
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
    const finding = t(
      "the response contains no environment and no components",
      "a resposta não tem ambiente nem componentes",
    );
    return failed(finding, fixFor("unexpected_response") ?? "");
  }
  const environment = status.environment ?? t("unknown environment", "ambiente desconhecido");
  const health = status.status ?? t("unknown health", "estado desconhecido");
  const responded = t(`responded in ${durationMs} ms`, `respondeu em ${durationMs} ms`);
  const finding = `${environment}, ${health}, ${responded}`;
  const down = Object.entries(services).filter(([, state]) => state !== "online");
  if (status.status === "online" && down.length === 0) return ok(finding);
  const parts = down.map(([name, state]) => `${name} ${state}`).join(", ");
  return warning(
    parts ? `${finding} (${parts})` : finding,
    t("Expect failures until the service has recovered.", "Espere falhas até o serviço se recuperar."),
  );
}

function checkClock({ aheadMs }: StatusResponse): CheckResult {
  if (Number.isNaN(aheadMs))
    return skipped(t("the service sends no Date header", "o serviço não envia o header Date"));
  const seconds = Math.round(aheadMs / 1000);
  const size = Math.abs(seconds);
  if (size <= CLOCK_DIFFERENCE_MAX_S) {
    return ok(t(`${size} s from the service's clock`, `${size} s de diferença do relógio do serviço`));
  }
  const direction =
    seconds > 0 ? t("ahead of", "adiantado em relação ao") : t("behind", "atrasado em relação ao");
  return warning(
    `${size} s ${direction} ${t("the service's clock", "relógio do serviço")}`,
    t(
      "Synchronize this machine's clock: card tokens and signed URLs depend on it.",
      "Sincronize o relógio desta máquina: tokens de cartão e URLs assinadas dependem dele.",
    ),
  );
}

async function checkCompany(options: PaymentsClientOptions): Promise<CheckResult> {
  const client = await createClient(options);
  const { status, paymentMethods, tradingName, name, id } = await client.company.retrieve();
  const disabled = (["pix", "credit_card"] as const).filter((method) => paymentMethods[method] === false);
  const shownName = tradingName ?? name ?? `${t("company", "empresa")} ${id}`;
  const company = `${shownName}: ${status ?? t("unknown status", "status desconhecido")}`;
  const inactive = STATUS_FIXES.get(status);
  if (inactive !== undefined) return failed(company, t(...inactive));
  const finding = `${company}, ${t("not enabled", "não habilitado")}: ${disabled.join(", ")}`;
  const enable = t("Ask the service to enable it.", "Peça ao serviço para habilitar.");
  if (disabled.length === 2) return failed(finding, enable);
  if (status !== "active") {
    const fix = t(
      "Ask the service whether the company can take payments.",
      "Pergunte ao serviço se a empresa pode receber pagamentos.",
    );
    return warning(company, fix);
  }
  if (disabled.length === 1) return warning(finding, enable);
  return ok(`${company}, ${t("pix and credit_card enabled", "pix e credit_card habilitados")}`);
}

/** Spec: "Company", `status`. */
const STATUS_FIXES: ReadonlyMap<Company["status"], Texts> = new Map([
  ["pending", ["Complete the onboarding with the service.", "Conclua o cadastro no serviço."]],
  [
    "suspended",
    ["Ask the service why operations are suspended.", "Pergunte ao serviço por que está suspensa."],
  ],
  ["inactive", ["Ask the service to activate the company.", "Peça ao serviço para ativar a empresa."]],
]);

async function checkStore(context: Context, settings: Settings, flags: StoreFlags): Promise<CheckResult> {
  if (settings("PAYMENTS_STORE", flags.store) === undefined) {
    return skipped(
      t("to check it, set PAYMENTS_STORE or --store", "para conferir, defina PAYMENTS_STORE ou --store"),
    );
  }
  return await withStore(context, flags, examineStore);
}

async function examineStore(opened: OpenStore): Promise<CheckResult> {
  const { name, namespace, store } = opened;
  const problems = await store.check();
  const [error] = problems.filter(({ level }) => level === "error");
  if (error) throw new Failure("store_check", `${name}: ${error.message}`);
  const names = await store.namespaces();
  if (names.length === 0) return ok(`${name}: ${t("opens, no orders yet", "abre, ainda sem pedidos")}`);
  if (!names.includes(namespace)) {
    const problem = t(`no orders in namespace "${namespace}"`, `nenhum pedido no namespace "${namespace}"`);
    return warning(`${name}: ${problem}`, describeNamespaces(names));
  }
  const { unresolved, unreadable } = (await store.stats()).orders;
  const what =
    unresolved === 1
      ? t("unresolved order", "pedido sem resposta")
      : t("unresolved orders", "pedidos sem resposta");
  const damaged = `, ${t("damaged records", "registros danificados")}: ${unreadable}`;
  const finding = nameNamespaces(
    opened,
    names,
    `${unresolved || t("no", "0")} ${what}${unreadable > 0 ? damaged : ""}`,
  );
  const list = `${t("List them with", "Liste com")} payments orders list --state unresolved.`;
  const fixes = [...(unresolved + unreadable > 0 ? [list] : []), ...problems.map(({ message }) => message)];
  return fixes.length === 0 ? ok(finding) : warning(finding, fixes.join(" "));
}

async function countOpenPostbacks(opened: OpenStore): Promise<CheckResult> {
  const { store } = opened;
  const { failed, abandoned } = (await store.stats()).postbacks;
  const finding = nameNamespaces(
    opened,
    await store.namespaces(),
    `${failed} failed, ${abandoned} abandoned`,
  );
  const isOk = failed + abandoned === 0;
  return isOk
    ? ok(finding)
    : warning(finding, `${t("List them with", "Liste com")} payments postbacks list.`);
}

/** The result of one namespace, with the others of its database. */
function nameNamespaces({ name, namespace }: OpenStore, names: readonly string[], result: string): string {
  const others = names.filter((other) => other !== namespace);
  const unread = others.length > 0 ? `; ${t("not read", "não lidos")}: ${listNamespaces(others)}` : "";
  return `${name}, namespace "${namespace}": ${result}${unread}`;
}

async function checkSigner(settings: Settings): Promise<CheckResult> {
  const signer = await readSigner(settings);
  if (signer === undefined) {
    const finding = t(
      "PAYMENTS_POSTBACK_SECRET is not set: a forged postback cannot be detected",
      "PAYMENTS_POSTBACK_SECRET não está definido: um postback falso não é detectado",
    );
    return warning(finding, fixFor("configuration") ?? "");
  }
  await signer.verify(await signer.sign("https://shop.example/postbacks", SAMPLE_ORDER), SAMPLE_ORDER);
  return ok(t("signs and verifies postback URLs", "assina e verifica URLs de postback"));
}

async function checkPostbackUrl(
  text: string | undefined,
  settings: Settings,
  baseUrl: string | undefined,
): Promise<CheckResult> {
  if (text === undefined) {
    return skipped(
      t(
        "to check it, set PAYMENTS_POSTBACK_URL or --postback-url",
        "para conferir, defina PAYMENTS_POSTBACK_URL ou --postback-url",
      ),
    );
  }
  const url = readWebUrl(t("It", "O valor"), text);
  const problem = findAddressProblem(url, baseUrl) ?? (await findLengthProblem(url, settings));
  return problem ?? (await probe(url));
}

function findAddressProblem(url: URL, baseUrl = ""): CheckResult | undefined {
  const shown = displayUrl(url);
  if (URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname)) return undefined; // a sandbox
  if (isLoopback(url.hostname)) {
    const problem = t(
      "is on this machine, where the service cannot reach it",
      "está nesta máquina, aonde o serviço não chega",
    );
    const fix = t(
      "Use a public URL, such as that of a tunnel. To develop, use a sandbox.",
      "Use uma URL pública, como a de um túnel. Para desenvolver, use um sandbox.",
    );
    return failed(`${shown} ${problem}`, fix);
  }
  if (url.protocol === "https:") return undefined;
  const problem = t(
    "is http, so others on the network can read the postbacks",
    "é http: outros na rede podem ler os postbacks",
  );
  return failed(`${shown} ${problem}`, "Use https.");
}

async function findLengthProblem(url: URL, settings: Settings): Promise<CheckResult | undefined> {
  const signer = await readSigner(settings).catch(() => undefined); // a row of its own
  const fix = t("Use a shorter URL.", "Use uma URL mais curta.");
  try {
    const signed = signer ? await signer.sign(url.href, SAMPLE_ORDER) : url.href;
    const { length } = new URL(signed).href;
    if (length <= POSTBACK_URL_COMMON_CHARACTERS) return undefined;
    const limit = t("a service may cut off URLs above", "um serviço pode cortar URLs acima de");
    const size = t(`has ${length} characters`, `tem ${length} caracteres`);
    const signing = signer ? t(" once signed", " depois de assinada") : "";
    return warning(`${size}${signing}: ${limit} ${POSTBACK_URL_COMMON_CHARACTERS}`, fix);
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
    const fix = t(
      "Start the server, and check DNS, its certificate and the firewall.",
      "Suba o servidor, e confira o DNS, o certificado e o firewall.",
    );
    return failed(`${shown} ${t("does not respond", "não responde")}`, fix);
  }
  const { status } = response;
  const finding = t(`${shown} returns ${status} to HEAD`, `${shown} responde ${status} a HEAD`);
  if (status >= 300 && status < 400) {
    return warning(
      finding,
      t("Use the URL that it redirects to.", "Use a URL de destino do redirecionamento."),
    );
  }
  const isMissing = status === 404 || status === 410;
  if (isMissing) {
    const fix = t(
      "Check the path: your receiver may not be there.",
      "Confira o path: a sua loja pode não receber postbacks ali.",
    );
    return warning(finding, fix);
  }
  if (status >= 500)
    return warning(finding, t("Check the log of your server.", "Veja o log do seu servidor."));
  return ok(finding);
}

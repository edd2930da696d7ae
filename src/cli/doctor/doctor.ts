import type { Command } from "commander";
import { createCommand } from "../command.ts";
import type { Context } from "../context.ts";
import { Reported } from "../failure.ts";
import { createOutput, dim, green, type Output, red, type Text, yellow } from "../output.ts";
import { readSettings } from "../settings.ts";
import { addStoreFlags, type StoreFlags } from "../store.ts";
import {
  checkBaseUrl,
  checkClock,
  checkCompany,
  checkKey,
  checkNode,
  checkPostbackUrl,
  checkService,
  checkSigner,
  checkStore,
  type Finding,
  firstSentence,
  retrieveStatus,
  type StatusAnswer,
  skipped,
} from "./checks.ts";

interface Flags extends StoreFlags {
  readonly baseUrl?: string;
  readonly postbackUrl?: string;
  readonly json?: true;
}

interface Row extends Finding {
  readonly check: string;
}

/** `payments doctor`. */
export function doctorCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "doctor",
    summary: "Check the settings, the service and the company, and print a fix for each problem.",
    details: [
      "It does not charge anyone or change any order. The exit code is 1 if a check failed. Keys and secrets are read from",
      "the environment or .env: PAYMENTS_SECRET_KEY, PAYMENTS_PUBLIC_KEY, PAYMENTS_POSTBACK_SECRET.",
    ].join("\n"),
    examples: [
      "payments doctor",
      "payments doctor --base-url https://api.example.com --postback-url https://shop.example/postbacks",
    ],
  })
    .option("--base-url <url>", "URL of the service (default: PAYMENTS_BASE_URL)")
    .option("--postback-url <url>", "URL that receives the postbacks (default: PAYMENTS_POSTBACK_URL)");

  return addStoreFlags(command).action(async (flags: Flags) => {
    const output = createOutput(context, flags.json);
    const rows = await runChecks(context, flags);
    const isFailed = rows.some(({ result }) => result === "failed");

    output.result({ ok: !isFailed, checks: rows }, () =>
      printRows(output, rows, context.stdout.isTTY === true),
    );
    if (isFailed) throw new Reported();
  });
}

/** A check that depends on a failed one is skipped. */
async function runChecks(context: Context, flags: Flags): Promise<readonly Row[]> {
  const settings = readSettings(context);
  const rows: Row[] = [];
  const check = async (name: string, needs: readonly Row[], find: () => Finding | Promise<Finding>) => {
    const missing = needs.find(({ result }) => result === "failed" || result === "skipped");
    const finding = missing ? skipped(`needs: ${missing.check}`) : await findSafely(find);
    const row = { check: name, ...finding };
    rows.push(row);
    return row;
  };
  const baseUrl = settings.get("PAYMENTS_BASE_URL", flags.baseUrl);
  const secretKey = settings.get("PAYMENTS_SECRET_KEY");
  const publicKey = settings.get("PAYMENTS_PUBLIC_KEY");
  const postbackUrl = settings.get("PAYMENTS_POSTBACK_URL", flags.postbackUrl);
  let answer: StatusAnswer;

  await check("Node.js", [], () => checkNode(process.versions.node));
  const base = await check("Base URL", [], () => checkBaseUrl(baseUrl));
  const secret = await check("Secret key", [], () => checkKey("secretKey", secretKey));
  const open = await check("Public key", [], () => checkKey("publicKey", publicKey));
  const service = await check("Service", [base], async () => {
    answer = await retrieveStatus(baseUrl ?? "");
    return checkService(answer);
  });
  await check("Clock", [service], () => checkClock(answer));
  await check("Company", [service, secret, open], () => checkCompany({ baseUrl, secretKey, publicKey }));
  await check("Store", [], () => checkStore(context, flags));
  await check("Postback signer", [], () => checkSigner(settings));
  await check("Postback URL", [], () => checkPostbackUrl(postbackUrl, settings, baseUrl));
  return rows;
}

const FIXES: Readonly<Record<string, string>> = {
  authentication_failed: "Check that both keys belong to this company and to this environment.",
  connection_failed: "Check PAYMENTS_BASE_URL, DNS, the proxy and the firewall. Is a sandbox running?",
  not_found: "Check the path in PAYMENTS_BASE_URL.",
  timed_out: "Check the network, and try again.",
  unexpected_response: "Check that PAYMENTS_BASE_URL is the URL of the payment service.",
};

/** An error of the SDK contains no secret. */
async function findSafely(find: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await find();
  } catch (error) {
    const { code = "" } = error as { code?: string };
    return { result: "failed", finding: firstSentence(error), fix: FIXES[code] ?? "Try again later." };
  }
}

const COLORS = { ok: green, warning: yellow, failed: red, skipped: dim } as const;

/** In a terminal a fix has a line of its own, elsewhere a column. */
function printRows(output: Output, rows: readonly Row[], isTerminal: boolean): void {
  const lines = rows.flatMap(({ check, result, finding, fix }): Text[][] => {
    const line = [check, COLORS[result](result), finding];
    if (!isTerminal) return [[...line, fix ?? ""]];
    return fix === undefined ? [line] : [line, ["", "", dim(`Fix: ${fix}`)]];
  });
  output.table(["CHECK", "RESULT", "FINDING"], lines);
  if (!isTerminal) return;
  output.line();
  output.line(summaryOf(rows));
}

function summaryOf(rows: readonly Row[]): Text {
  const count = (result: Finding["result"]) => rows.filter((row) => row.result === result).length;
  const [problems, warnings] = [count("failed"), count("warning")];
  const text = `${problems} failed, ${warnings} ${warnings === 1 ? "warning" : "warnings"}.`;
  return problems > 0 ? red(text) : warnings > 0 ? yellow(text) : green("No problems found.");
}

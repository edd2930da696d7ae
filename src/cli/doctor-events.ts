import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { assumptionsLog } from "../index.ts";
import { Failure } from "./command-failure.ts";
import type { Context } from "./context.ts";
import { type Texts, t } from "./language.ts";
import type { Output } from "./output.ts";

type Event = Parameters<ReturnType<typeof assumptionsLog>>[0];
type JsonObject = Readonly<Record<string, unknown>>;

/** A longer line contains no event. */
const LINE_MAX = 1_000_000;

/** Prints what the events in a log of JSON lines show about the service. `-` reads the standard input. */
export async function printAssumptions(context: Context, file: string, output: Output): Promise<void> {
  const assumptions = assumptionsLog();
  let events = 0;
  for await (const line of linesOf(context, file)) {
    for (const { event, at } of line.includes("type") ? findEvents(line) : []) {
      try {
        assumptions(event, at);
        events += 1;
      } catch {
        // It only looks like an event.
      }
    }
  }
  if (events === 0) {
    const message = t(
      "The file contains no events. Write the events with logEvents() to a logger that prints JSON.",
      "O arquivo não tem eventos. Grave os eventos com logEvents() em um logger que escreve JSON.",
    );
    throw new Failure("no_events", message);
  }
  const result = { events, assumptions, sandboxOptions: assumptions.sandboxOptions() };
  output.result(result, () => {
    for (const line of assumptions.report().split("\n")) output.line(translateReport(line));
    output.line();
    const title = t("Options of a sandbox that does the same", "Opções de um sandbox que faz o mesmo");
    output.line(`${title}: ${JSON.stringify(result.sandboxOptions)}`);
  });
}

/** The words of a report, in the order of a line. Names and values stay in English. */
const REPORT_WORDS: readonly Texts[] = [
  [": confirmed ", ": confirmado "],
  [", contradicted ", ", contrariado "],
  [". Seen: ", ". Visto: "],
  ["Not seen: ", "Não visto: "],
];

function translateReport(line: string): string {
  return REPORT_WORDS.reduce((result, words) => result.replace(words[0], t(...words)), line);
}

/** The lines of a file of any size. */
async function* linesOf({ cwd, stdin }: Context, file: string): AsyncGenerator<string> {
  const input = file === "-" ? stdin : createReadStream(resolve(cwd, file));
  input.setEncoding("utf8");
  let rest = "";
  try {
    for await (const chunk of input) {
      for (const [index, part] of String(chunk).split("\n").entries()) {
        if (index > 0) {
          yield rest;
          rest = "";
        }
        rest = rest.length > LINE_MAX ? rest : rest + part;
      }
    }
  } catch (error) {
    const { code = t("unreadable", "ilegível") } = error as NodeJS.ErrnoException;
    const message = t("The file cannot be read", "O arquivo não pode ser lido");
    throw new Failure("cannot_read", `${message} (${code}). ${t("Check the path.", "Confira o caminho.")}`);
  }
  yield rest;
}

/** A value in JSON, which may have a prefix: that of a collector of logs, or a byte order mark. */
function parse(text: string): unknown {
  for (const json of [text, text.slice(text.indexOf("{"))]) {
    try {
      return JSON.parse(json);
    } catch {
      // The next one.
    }
  }
  return undefined;
}

const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null;

const MAX_DEPTH = 6;
const ENDPOINT =
  /^(?:transactions\.create|cardTokens\.create|company\.retrieve|status\.retrieve|sellers\.(?:list|revenue))$/;

/** The events in a line: the object itself, or those inside, also as text. The time is that of the outermost object that has one. */
function* findEvents(value: unknown, time = Number.NaN, depth = 0): Generator<{ event: Event; at: number }> {
  if (depth > MAX_DEPTH) return;
  if (typeof value === "string" && value.includes("{")) yield* findEvents(parse(value), time, depth + 1);
  if (!isObject(value)) return;
  const at = Number.isNaN(time) ? timeOf(value) : time;
  const { type, endpoint, postback } = value;
  const isPostback = isObject(postback) && typeof postback["rawStatus"] === "string";
  if (typeof type === "string" && (isPostback || ENDPOINT.test(String(endpoint)))) {
    yield { event: value as unknown as Event, at };
    return;
  }
  for (const inner of Object.values(value)) yield* findEvents(inner, at, depth + 1);
}

const SECONDS_MAX = 1e11;

/** Milliseconds since 1970; NaN without a time. */
function timeOf(line: JsonObject): number {
  const { time, timestamp, ts } = line;
  const given = time ?? timestamp ?? line["@timestamp"] ?? ts;
  if (typeof given === "number") return given < SECONDS_MAX ? given * 1_000 : given;
  return typeof given === "string" ? Date.parse(given) : Number.NaN;
}

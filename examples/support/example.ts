import type { SandboxOptions } from "payments-sdk/sandbox/server";
import { addressOf } from "./address.ts";
import { Ending } from "./ending.ts";
import { check, lineOf, oneLine } from "./failure.ts";
import { type Flags, type FlagValues, parse, read, toggle } from "./flags.ts";
import { type Described, helpOf } from "./help.ts";
import { jsonOf } from "./json.ts";
import { askWhetherToCharge, connect, type Service, VARIABLES } from "./service.ts";
import { row } from "./terminal.ts";

export interface Example<Table extends Flags> extends Described {
  readonly flags: Table;
  /** Whether it can charge somebody at a service that is no sandbox. Default `false`. */
  readonly charges?: boolean;
  readonly run: (tools: Tools<Table>) => unknown;
}

/** What an example is given to do its task. */
export interface Tools<Table extends Flags> {
  readonly flags: FlagValues<Table>;
  /** What was typed besides flags. */
  readonly words: readonly string[];
  /** Whether nothing but JSON may be printed. */
  readonly isJson: boolean;
  /** The service of the environment, or a sandbox of its own, made with these options. */
  connect(options?: SandboxOptions): Promise<Service>;
  /** Asks where it is no sandbox. @throws {Failure} where nobody can be asked. */
  mayCharge(service: Service, question: string): Promise<boolean>;
  /**
   * Names the order that is paid next, so that it can be found whatever comes. A Ctrl-C names it, too, until something
   * is told of it.
   */
  announce(externalRef: string): void;
  /** Prints a result: as a line of JSON, or as `show` does for people. */
  tell<Value>(value: Value, show: (value: Value) => void): void;
  /** Prints something for people only. */
  say(line: string): void;
  /** Is called when the example ends, in whatever way; the last one first. */
  onEnd(end: () => unknown): void;
  /** Resolves when somebody presses Ctrl-C, for an example that has no other end. */
  untilInterrupted(): Promise<void>;
}

const YES = toggle("charges at a service that is no sandbox without asking");
const COMMON = {
  json: toggle("prints JSON and nothing else; `npm run -s example` keeps npm quiet, too"),
  help: toggle("this text"),
};

/** Reads the flags, runs the example, and says in a line what went wrong. */
export async function example<Table extends Flags>(settings: Example<Table>): Promise<void> {
  const { name, charges = false } = settings;
  const usage = `Usage: npm run example ${name} -- --help`;
  const ending = new Ending();
  try {
    const own: Flags = { ...settings.flags, ...(charges && { yes: YES }), ...COMMON };
    const typed = parse(process.argv.slice(2), own);
    if (typed.values["help"]) return console.log(helpOf(settings, own));
    check(settings.commands || typed.words.length === 0, "It takes flags only.");
    const { json: isJson } = read(typed, COMMON);
    const means = { isJson, words: typed.words, saysYes: typed.values["yes"] === true };
    await runWith(settings, read(typed, settings.flags), means, ending);
  } catch (error) {
    console.error(lineOf(error, usage));
    process.exitCode = 1;
  }
}

interface Means {
  readonly isJson: boolean;
  readonly saysYes: boolean;
  readonly words: readonly string[];
}

async function runWith<Table extends Flags>(
  { run, needs = VARIABLES }: Example<Table>,
  flags: FlagValues<Table>,
  { isJson, saysYes, words }: Means,
  ending: Ending,
): Promise<void> {
  let unknown: string | undefined;
  const tell: Tools<Table>["tell"] = (value, show) => {
    if (ending.isBrokenOff) return; // what comes now is about what is being closed
    unknown = undefined;
    if (isJson) console.log(jsonOf(value));
    else show(value);
  };
  const say = (line: string) => {
    if (!isJson && !ending.isBrokenOff) console.log(line);
  };

  try {
    await run({
      flags,
      words,
      isJson,
      async connect(options) {
        const service = await connect(needs, options);
        ending.add(() => service.close());
        if (!isJson) introduce(service);
        return service;
      },
      mayCharge: async (service, question) =>
        service.isSandbox || saysYes || (await askWhetherToCharge(question, isJson)),
      announce(externalRef) {
        if (!isJson) row("Order", externalRef);
        unknown = externalRef;
        ending.add(() => {
          if (ending.isBrokenOff && unknown === externalRef) console.error(unknownLine(externalRef));
        });
      },
      tell,
      say,
      onEnd: (end) => ending.add(end),
      untilInterrupted: () => ending.untilInterrupted(),
    });
  } catch (error) {
    if (!ending.isBrokenOff) throw error;
  } finally {
    await ending.close();
  }
}

function introduce({ gateway, baseUrl }: Service): void {
  const address = addressOf(baseUrl);
  row("Service", gateway ? `embedded sandbox, ${address}` : address);
}

function unknownLine(externalRef: string): string {
  return oneLine(
    `Whether ${externalRef} was charged is not known: look it up in the dashboard before it is paid again.`,
  );
}

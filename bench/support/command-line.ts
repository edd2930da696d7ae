import { parseArgs } from "node:util";
import { ALL_CONTENDERS } from "./contenders.ts";
import type { Choice, Effort } from "./measurement.ts";
import { type Name, namesOf } from "./measurements.ts";
import { KINDS } from "./orders.ts";

export interface Asked {
  readonly list: boolean;
  readonly names: readonly Name[];
  readonly effort: Effort;
  readonly choice: Choice;
  /** Whether nothing was left out: only then the results are worth keeping. */
  readonly everything: boolean;
}

export function readCommandLine(args: readonly string[]): Asked {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      list: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      kinds: { type: "string" },
      rounds: { type: "string" },
    },
  });
  const only = known(values.only, "contender", ALL_CONTENDERS);
  const kinds = known(values.kinds, "kind", KINDS);
  const rounds = values.rounds === undefined ? undefined : wholeNumber(values.rounds);
  const choice = { ...(only && { only }), ...(kinds && { kinds }), ...(rounds && { patience: { rounds } }) };
  return {
    list: values.list,
    names: namesOf(positionals),
    effort: values.quick ? "quick" : "full",
    choice,
    everything: positionals.length === 0 && !values.quick && Object.keys(choice).length === 0,
  };
}

function known(list: string | undefined, what: string, names: readonly string[]): string[] | undefined {
  const asked = list?.split(",").map((name) => name.trim());
  const unknown = asked?.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`No ${what} is called ${unknown}. There are: ${names.join(", ")}.`);
  return asked;
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new TypeError(`Not a number of rounds: ${text}`);
  return Number(text);
}

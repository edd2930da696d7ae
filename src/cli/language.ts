import { parseArgs } from "node:util";
import type { Context } from "./context.ts";

let isPortuguese = false;

/**
 * Chooses the language: that of `--lang`, or else of the locale. JSON is in English, because programs read it. `main`
 * calls this before it creates the commands, whose help has a language.
 */
export function setLanguage({ argv, env }: Pick<Context, "argv" | "env">): void {
  const { values } = parseArgs({ args: [...argv], options: { lang: { type: "string" } }, strict: false });
  const { LC_ALL, LC_MESSAGES, LANG = "" } = env;
  const isKnown = values.lang === "pt" || values.lang === "en"; // the parser refuses others
  const name = isKnown ? String(values.lang) : LC_ALL || LC_MESSAGES || LANG;
  isPortuguese = /^pt(?![a-z])/i.test(name) && !argv.includes("--json");
}

/** A constant of a module is evaluated before the language is chosen. Where it is printed: `t(...texts)`. */
export type Texts = readonly [english: string, portuguese: string];

/** The text in the chosen language. */
export function t(english: string, portuguese: string): string {
  return isPortuguese ? portuguese : english;
}

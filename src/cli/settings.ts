import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Context } from "./context.ts";
import { Failure } from "./failure.ts";

/** The settings, and the flag of those that are not secret. A secret in a flag would stay in the shell's history. */
const FLAGS = {
  PAYMENTS_BASE_URL: "--base-url",
  PAYMENTS_SECRET_KEY: undefined,
  PAYMENTS_PUBLIC_KEY: undefined,
  PAYMENTS_STORE: "--store",
  PAYMENTS_NAMESPACE: "--namespace",
  PAYMENTS_POSTBACK_URL: "--postback-url",
  PAYMENTS_POSTBACK_SECRET: undefined,
  PAYMENTS_POSTBACK_KID: undefined,
} as const;

export type SettingName = keyof typeof FLAGS;

export interface Settings {
  /** The flag's value, or else the variable of the environment, or else of `.env`. An empty value counts as none. */
  get(name: SettingName, flag?: string): string | undefined;
  /** Like `get`. @throws {Failure} `missing_setting` if it is not set; the message names the flag and the variable. */
  require(name: SettingName, flag?: string): string;
}

/** @throws {Failure} when the current folder has a `.env` that cannot be read. */
export function readSettings({ env, cwd }: Context): Settings {
  const file = readEnvFile(join(cwd, ".env"));
  const get = (name: SettingName, flag?: string) => flag || env[name] || file[name] || undefined;

  return {
    get,
    require: (name, flag) => {
      const value = get(name, flag);
      if (value !== undefined) return value;
      const option = FLAGS[name];
      const places = `${name} in the environment or in .env`;
      throw new Failure("missing_setting", option ? `Pass ${option}, or set ${places}.` : `Set ${places}.`);
    },
  };
}

function readEnvFile(path: string): Record<string, string | undefined> {
  try {
    return parseEnv(new TextDecoder().decode(readFileSync(path))); // without a byte order mark
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new Failure("unreadable_env_file", `Cannot read ${path}.`);
  }
}

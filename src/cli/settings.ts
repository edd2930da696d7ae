import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { PostbackUrlSigner } from "../postbacks.ts";
import { Failure } from "./command-failure.ts";
import type { Context } from "./context.ts";

export const SETTING_NAMES = [
  ...(["PAYMENTS_BASE_URL", "PAYMENTS_SECRET_KEY", "PAYMENTS_PUBLIC_KEY", "PAYMENTS_STORE"] as const),
  ...(["PAYMENTS_NAMESPACE", "PAYMENTS_POSTBACK_URL", "PAYMENTS_POSTBACK_SECRET"] as const),
  "PAYMENTS_POSTBACK_KID",
] as const;

type SettingName = (typeof SETTING_NAMES)[number];

/**
 * Returns the value of the flag, or else of the environment variable, or else of the variable in `.env`. An empty value
 * counts as none. Secrets have no flag: it would stay in the shell's history.
 */
export type Settings = (name: SettingName, flag?: string) => string | undefined;

/** @throws {Failure} if the current folder has a `.env` that cannot be read. */
export function readSettings({ env, cwd }: Context): Settings {
  const file = readEnvFile(join(cwd, ".env"));
  return (name, flag) => flag || env[name] || file[name] || undefined;
}

function readEnvFile(path: string): Record<string, string | undefined> {
  try {
    return parseEnv(new TextDecoder().decode(readFileSync(path))); // without a byte order mark
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new Failure("unreadable_env_file", `Cannot read ${path}.`);
  }
}

/**
 * The merchant's signer, if its secret is set.
 *
 * @throws {Failure} `configuration` if the secret is too short; the message does not contain it.
 */
export async function readSigner(settings: Settings): Promise<PostbackUrlSigner | undefined> {
  const secret = settings("PAYMENTS_POSTBACK_SECRET");
  if (secret === undefined) return undefined;
  const kid = settings("PAYMENTS_POSTBACK_KID") ?? "1"; // as in the documentation
  const { ConfigurationError, PostbackUrlSigner } = await import("../postbacks.ts");
  try {
    return new PostbackUrlSigner({ keys: [{ kid, secret }] });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new Failure(error.code, error.message.replace("keys.0.secret", "PAYMENTS_POSTBACK_SECRET"));
  }
}

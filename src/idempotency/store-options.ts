import { assertConfig, knownOptions, NO_CALL } from "../errors/check-options.ts";
import { NAMESPACE_MAX, RETENTION_DAYS } from "../spec/limits.ts";

/** Options of a store in a database. */
export interface StoreOptions {
  /** Parts what shares a database: one namespace for each account. At most 255 characters. Default `default`. */
  readonly namespace?: string | undefined;
  /**
   * Days for which is kept what has ended: orders and handled postbacks. What is unresolved is never forgotten.
   * Default 400.
   */
  readonly retentionDays?: number | undefined;
}

/** The options, read and complete. */
export interface StoreSettings {
  readonly namespace: string;
  readonly retentionMs: number;
}

const DAY_IN_MS = 24 * 60 * 60 * 1000;

/** @throws {ConfigurationError} */
export function readStoreOptions(options: StoreOptions): StoreSettings {
  const read = knownOptions(options, ["namespace", "retentionDays"], NO_CALL);
  const { namespace = "default", retentionDays = RETENTION_DAYS } = read;
  assertConfig(
    typeof namespace === "string" && namespace !== "",
    "namespace must be a string that is not empty.",
  );
  const isKept = namespace.isWellFormed() && !namespace.includes("\0") && namespace.length <= NAMESPACE_MAX;
  assertConfig(isKept, `namespace must be well-formed text of at most ${NAMESPACE_MAX} characters.`);
  assertConfig(
    typeof retentionDays === "number" && retentionDays > 0,
    "retentionDays must be a number above zero.",
  );
  return { namespace, retentionMs: retentionDays * DAY_IN_MS };
}

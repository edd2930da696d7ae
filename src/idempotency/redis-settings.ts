import { type Redis, textOf } from "./redis-client.ts";
import { SETTINGS } from "./redis-scripts.ts";

/**
 * Asks one server for the settings by which it may forget records.
 *
 * @param key - The server of this key is asked.
 * @returns a warning; `undefined` if those settings are safe, or if the user may not see them.
 */
export async function askForWarning(redis: Redis, key: string): Promise<string | undefined> {
  const info = textOf(await redis.run(SETTINGS, key));
  const setting = (name: string) => new RegExp(`^${name}:(\\S*)`, "m").exec(info)?.[1];
  const policy = setting("maxmemory_policy");
  const hasLimit = setting("maxmemory") !== "0"; // without one nothing is evicted
  const reasons: string[] = [];
  if (policy !== undefined && policy !== "noeviction" && hasLimit) {
    reasons.push(`Redis has maxmemory-policy ${policy}, so it deletes records when its memory is full`);
  }
  if (setting("aof_enabled") === "0") {
    reasons.push("Redis has appendonly no, so a restart loses what was written since its latest snapshot");
  }
  if (reasons.length === 0) return undefined;
  return `may forget payments, and a forgotten one can be charged again: ${reasons.join("; ")}`;
}

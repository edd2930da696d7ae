import type { Documents, Draft, Found } from "./documents.ts";
import { type Redis, textOf } from "./redis-client.ts";
import { ADD, NAME, READ, READ_OPEN, REPLACE } from "./redis-scripts.ts";

/** State, version, when it was written, text. */
const VALUE = /^(open|done) (\S+) (\d+) (.*)$/s;

/** Documents in Redis, each under a key of its own. */
export class RedisDocuments implements Documents {
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #retentionMs: string;

  /** @param prefix - Of all keys; no other documents may have one that begins with it. */
  constructor(redis: Redis, prefix: string, retentionMs: number) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#retentionMs = String(Math.min(Math.ceil(retentionMs), Number.MAX_SAFE_INTEGER));
  }

  add(key: string, draft: Draft): Promise<Found | undefined> {
    return this.#found(key, ADD, ...this.#written(draft));
  }

  read(key: string): Promise<Found | undefined> {
    return this.#found(key, READ);
  }

  async replace(key: string, version: string, draft: Draft): Promise<boolean> {
    const reply = textOf(await this.#redis.run(REPLACE, this.#name(key), version, ...this.#written(draft)));
    if (reply !== "replaced" && reply !== "kept") throw strange(this.#name(key));
    return reply === "replaced";
  }

  async *open(): AsyncIterable<Found & { readonly key: string }> {
    const prefix = textOf(await this.#redis.run(NAME, this.#prefix));
    const unreadable: unknown[] = [];
    for await (const names of this.#redis.scan(`${withoutGlobs(prefix)}*`)) {
      const keys = names.map((name) => keyOf(name.slice(prefix.length)));
      const documents = await Promise.allSettled(keys.map((key) => this.#found(key, READ_OPEN)));
      for (const [index, document] of documents.entries()) {
        const key = keys[index];
        if (document.status === "rejected") unreadable.push(document.reason);
        else if (key !== undefined && document.value !== undefined) yield { ...document.value, key };
      }
    }
    // It must not hide the others.
    if (unreadable.length > 0) throw unreadable[0];
  }

  async #found(key: string, script: string, ...values: readonly string[]): Promise<Found | undefined> {
    const reply = await this.#redis.run(script, this.#name(key), ...values);
    if (!Array.isArray(reply) || reply.length === 0 || reply.length > 2) throw strange(this.#name(key));
    const [now, value] = reply.map(textOf);
    if (value === undefined) return undefined;
    const [, , version, writtenAt, text] = VALUE.exec(value) ?? [];
    const ageMs = Number(now) - Number(writtenAt);
    if (version === undefined || text === undefined || Number.isNaN(ageMs)) throw strange(this.#name(key));
    return { text, version, ageMs };
  }

  #written({ isOpen, isEnd = false, version, text }: Draft): readonly string[] {
    const what = isEnd ? "end" : "claim";
    return isOpen ? ["open", version, text, what] : ["done", version, text, what, "PX", this.#retentionMs];
  }

  #name(key: string): string {
    return `${this.#prefix}${nameOf(key)}`;
  }
}

/** Redis keeps bytes, and half of a surrogate pair has none: as JSON, no two keys become the same. */
function nameOf(key: string): string {
  return JSON.stringify(key).slice(1, -1);
}

function keyOf(name: string): string {
  return JSON.parse(`"${name}"`);
}

function withoutGlobs(text: string): string {
  return text.replace(/[*?[\]\\^-]/g, "\\$&");
}

function strange(name: string): Error {
  return new Error(`Redis has something under ${name} that payments-sdk did not write.`);
}

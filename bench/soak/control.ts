import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import type { Phase } from "./plan.ts";

/** Steers the service of a soak, by connections of its own that are closed at once. */
export class Control {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  enter(phase: Phase): Promise<unknown> {
    return this.#ask("/phase", phase);
  }

  /** The transaction of each reference; missing where there is none. */
  async idsOf(references: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const ids = (await this.#ask("/ids", references)) as readonly (number | null)[];
    const found = new Map<string, number>();
    for (const [index, reference] of references.entries()) {
      const id = ids[index];
      if (typeof id === "number") found.set(reference, id);
    }
    return found;
  }

  counts(): Promise<{ readonly open: number; readonly charges: number; readonly twice: number }> {
    return this.#ask("/counts", null) as ReturnType<Control["counts"]>;
  }

  async #ask(path: string, body: unknown): Promise<unknown> {
    const asked = request(this.#url + path, { method: "POST", agent: false }).end(JSON.stringify(body));
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    return JSON.parse(await text(answer));
  }
}

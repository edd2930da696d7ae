import { type Running, run } from "../../support/running.ts";
import { heard, type LastWords } from "./last-words.ts";
import type { MerchantSettings } from "./merchant-process.ts";
import type { Attempt, Moment } from "./plan.ts";

/** How a process came to its end. */
export interface Death {
  readonly moment: Moment;
  /** What it was told of its create, where it lived to hear it. */
  readonly end: Extract<LastWords, { type: "ended" }> | undefined;
}

/** The processes of a merchant. */
export class Merchants {
  readonly #running = new Map<string, Running>();
  readonly #killedBySending = new Set<string>();
  readonly #command: readonly string[];

  /** @param command - Starts a process, with its settings after it. */
  constructor(command: readonly string[]) {
    this.#command = command;
  }

  /** Runs an attempt until it is dead. */
  async run({ name, moment }: Attempt, settings: MerchantSettings): Promise<Death> {
    const running = this.#spawn({ ...settings, moment });
    this.#running.set(name, running);
    // A process that was faster than its killer has ended by itself, which is told below.
    running.printed(/"kill me"/).then(running.kill, () => undefined);
    const end = await running.ended;
    this.#running.delete(name);
    if (end !== "SIGKILL")
      throw new Error(`${name} was not killed, but ended with ${end}.\n${running.stderr()}`);
    return this.#deathOf(name, heard(running.stdout()));
  }

  /** Runs a process to its own end. It leaves compiled code behind for the others. */
  async runWhole(settings: MerchantSettings): Promise<readonly LastWords[]> {
    const running = this.#spawn(settings);
    const end = await running.ended;
    if (end !== 0) throw new Error(`It ended with ${end}.\n${running.stderr()}`);
    return heard(running.stdout());
  }

  /** Kills the process of an attempt, which is sending. */
  kill(name: string): void {
    this.#killedBySending.add(name);
    this.#running.get(name)?.kill();
  }

  killAll(): void {
    for (const running of this.#running.values()) running.kill();
  }

  #spawn(settings: MerchantSettings): Running {
    const [command = "", ...args] = this.#command;
    return run(command, [...args, JSON.stringify(settings)]);
  }

  #deathOf(name: string, words: readonly LastWords[]): Death {
    const end = words.find((said) => said.type === "ended");
    const last = words.findLast((said) => said.type !== "ended");
    if (last !== undefined) return { moment: last.moment, end };
    if (this.#killedBySending.has(name)) return { moment: "during the send", end };
    throw new Error(`${name} was killed by somebody else.`);
  }
}

import { afterAll, beforeAll, describe, vi } from "vitest";
import { startChromium } from "./chromium-engine.ts";
import { startFirefox } from "./firefox-engine.ts";
import { ENGINES, type EngineName, missingEngines } from "./installed-engines.ts";
import { startWebKit } from "./webkit-engine.ts";

type CardPart = "number" | "name" | "expiryMonth" | "expiryYear" | "cvc";

/** What a test does with a browser. Keys and clicks are those of a user: their events are trusted. */
export interface Engine {
  /** Opens an address in the one tab, and resolves once it is loaded. */
  open(url: string): Promise<void>;
  /** Runs an expression in the page, also under a policy without `unsafe-eval`, and awaits its JSON. */
  evaluate(expression: string): Promise<unknown>;
  /** Presses a key such as `a` or `ArrowLeft`, with modifiers: `Control+v`. */
  press(key: string): Promise<void>;
  type(text: string): Promise<void>;
  click(selector: string): Promise<void>;
  /** Begins to go back to the page before. */
  back(): Promise<void>;
  /** Sets the width of the page, in CSS pixels. */
  resize(width: number): Promise<void>;
  /** Lets the browser fill in a card, from an input of its form. `false` if this build of the browser cannot. */
  autofill?(selector: string, card: Record<CardPart, string>): Promise<boolean>;
  /** The values of inputs that the browser has kept to suggest them again. Only Firefox keeps them in a readable file. */
  formHistory?(): string[];
  close(): Promise<void>;
}

const START: Readonly<Record<EngineName, () => Promise<Engine>>> = {
  chromium: startChromium,
  firefox: startFirefox,
  webkitgtk: startWebKit,
};

/** Runs the tests in each engine, with one browser for all of them. An engine that is missing skips them. */
export function inEachEngine(tests: (tab: Tab, name: EngineName) => void): void {
  vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });
  for (const name of ENGINES) {
    describe.skipIf(missingEngines[name] !== undefined)(`in ${name}`, () => {
      const tab = new Tab();
      beforeAll(async () => {
        tab.engine = await START[name]();
      });
      afterAll(() => tab.engine?.close());
      tests(tab, name);
    });
  }
}

/** The tab of an engine, with what can be done in every engine in the same way. */
export class Tab {
  engine!: Engine;

  evaluate<Args extends unknown[], Result>(
    run: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    const expression = `(${run})(...${JSON.stringify(args)})`;
    return this.engine.evaluate(expression) as Promise<Awaited<Result>>;
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.engine.press(key);
  }

  /** Pastes a text at the caret, by way of the clipboard and the keyboard. */
  async paste(text: string): Promise<void> {
    await this.evaluate((copied) => {
      const source = document.createElement("textarea");
      Object.assign(source, { value: copied, id: "clipboard-source" });
      const before = document.activeElement as HTMLInputElement;
      source.addEventListener("copy", () => setTimeout(() => [source.remove(), before.focus()]));
      document.body.append(source);
      source.select();
    }, text);
    await this.press("Control+c");
    await this.until(() => document.querySelector("#clipboard-source") === null);
    await this.press("Control+v");
  }

  /** Waits until a condition holds in the page. */
  async until<Args extends unknown[]>(condition: (...args: Args) => boolean, ...args: Args): Promise<void> {
    // Fails while the page is being replaced by another one.
    const holds = () => this.evaluate(condition, ...args).catch(() => false);
    await vi.waitUntil(holds, { timeout: 10_000, interval: 20 });
  }
}

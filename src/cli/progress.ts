import type { Context } from "./context.ts";

/** Shows on stderr that a long command is still working; only in a terminal. */
export interface Progress {
  /** Call it for each item. */
  count(): void;
  /** Removes the line, so that something else can be printed. */
  clear(): void;
}

const ITEMS_PER_UPDATE = 1_000;

export function createProgress({ stderr }: Pick<Context, "stderr">, what: string): Progress {
  let items = 0;
  let isShown = false;
  return {
    count() {
      items += 1;
      if (!stderr.isTTY || items % ITEMS_PER_UPDATE > 0) return;
      stderr.write(`\r${items.toLocaleString("en")} ${what}`);
      isShown = true;
    },
    clear() {
      if (isShown) stderr.write("\r\u001b[K"); // to the end of the line
      isShown = false;
    },
  };
}

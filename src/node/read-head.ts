/** What a transport has to know of the head of an answer. */
export interface Head {
  readonly contentEncoding: string | undefined;
  /** Milliseconds that the other side keeps an unused connection, less a second for the way. */
  readonly keepMs: number | undefined;
}

const WAY_MS = 1_000;

/** @param rawHeaders - Names and values in turn. */
export function readHead(rawHeaders: readonly string[]): Head {
  let contentEncoding: string | undefined;
  let keepMs: number | undefined;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place] ?? "";
    const value = rawHeaders[place + 1] ?? "";
    if (isNamed(name, "content-encoding")) {
      contentEncoding = contentEncoding === undefined ? value : `${contentEncoding},${value}`;
    } else if (isNamed(name, "keep-alive")) {
      const seconds = /(?:^|[\s,])timeout=(\d+)/i.exec(value)?.[1];
      if (seconds !== undefined) keepMs = Math.max(0, Number(seconds) * 1_000 - WAY_MS);
    }
  }
  return { contentEncoding, keepMs };
}

/** Most names are of another length, which is cheaper to see. */
function isNamed(name: string, lowered: string): boolean {
  return name.length === lowered.length && name.toLowerCase() === lowered;
}

import { getEventListeners } from "node:events";
import { expect } from "vitest";

/** Timers and sockets that keep the process alive now, by their kind. */
function resources(): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    if (/Timeout|TCPSocketWrap|TLSWrap|ConnectWrap|GetAddrInfo|Zlib|Brotli/.test(kind)) {
      counted[kind] = (counted[kind] ?? 0) + 1;
    }
  }
  return counted;
}

/** Remembers what is there now; the check that it gives waits until there is no more than that. */
export function nothingLeftBehind(signal?: AbortSignal): () => Promise<void> {
  const before = resources();
  return async () => {
    await expect
      .poll(() => Object.entries(resources()).filter(([kind, count]) => count > (before[kind] ?? 0)))
      .toEqual([]);
    if (signal !== undefined) expect(getEventListeners(signal, "abort")).toEqual([]);
  };
}

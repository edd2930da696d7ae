import { getEventListeners } from "node:events";
import { expect } from "vitest";

/** Counts the timers and sockets that keep the process alive now, by kind. */
function countResources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    if (/Timeout|TCPSocketWrap|TLSWrap|ConnectWrap|GetAddrInfo|Zlib|Brotli/.test(kind)) {
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
  }
  return counts;
}

/** Returns a check that waits until there are no more resources than now, and no listener on the signal. */
export function watchForLeaks(signal?: AbortSignal): () => Promise<void> {
  const before = countResources();
  return async () => {
    await expect
      .poll(() => Object.entries(countResources()).filter(([kind, count]) => count > (before[kind] ?? 0)))
      .toEqual([]);
    if (signal !== undefined) expect(getEventListeners(signal, "abort")).toEqual([]);
  };
}

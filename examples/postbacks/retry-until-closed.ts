import type { Server } from "node:http";
import type { PostbackHandler } from "payments-sdk/postbacks";

/**
 * Runs the callbacks that failed, or whose process died: when the server starts, and every minute. After `server.close()` it
 * waits for the callbacks that are running, and calls `onEnd`.
 */
export function retryUntilClosed(server: Server, postbacks: PostbackHandler, onEnd?: () => unknown): void {
  let timer: NodeJS.Timeout | undefined;
  const retry = () => void postbacks.retryFailed().catch((error) => console.error(String(error))); // a store that is down
  server.once("listening", () => {
    retry();
    timer = setInterval(retry, 60_000);
  });
  server.once("close", () => {
    clearInterval(timer);
    void postbacks.close().then(onEnd);
  });
}

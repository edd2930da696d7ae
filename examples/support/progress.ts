import { stdout } from "node:process";

const SECOND_IN_MS = 1_000;
const CLEAR_LINE = "\r\u001b[2K";

/** Says for how long something is waited for: every second in a terminal, else once. Returns what ends that. */
export function showProgress(what: string): () => void {
  if (!stdout.isTTY) {
    console.log(`  ${what}`);
    return () => undefined;
  }
  const startedAt = Date.now();
  const show = () => {
    const seconds = Math.round((Date.now() - startedAt) / SECOND_IN_MS);
    const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    stdout.write(`${CLEAR_LINE}  ${what} ${clock}`);
  };
  show();
  const timer = setInterval(show, SECOND_IN_MS);
  return () => {
    clearInterval(timer);
    stdout.write(CLEAR_LINE);
  };
}

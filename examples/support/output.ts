import { stdout } from "node:process";
import { reasonOf } from "./failure.ts";

/** Of a pipe that nobody reads any more. */
const NOBODY_READS = ["EPIPE", "ERR_STREAM_DESTROYED"];

/**
 * An example goes on where its output is lost, to its end: a payment is not broken off, and it is the payment that
 * decides the exit code. Whoever reads through `head` has seen enough, which is no failure; a full disk is one.
 *
 * @param stop - Ends an example that has no other end.
 */
export function onLostOutput(stop: () => void): void {
  let isTold = false;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    stop();
    if (isTold || NOBODY_READS.includes(error.code ?? "")) return;
    isTold = true;
    console.error(`Standard output cannot be written: ${reasonOf(error)}`);
    process.exitCode = 1;
  });
}

import { finish } from "./finish.ts";
import { Missing } from "./row.ts";

/** What a system says that cannot start a program: it is of another platform, or lacks a library. */
const CANNOT_START =
  /error while loading shared libraries|Exec format error|\bENOENT\b|not found|EBADPLATFORM/;

/**
 * Starts a tool, to see that this machine can, and that it is the version that it should be.
 *
 * @throws {Missing} where this machine cannot start it.
 */
export async function startOf(command: string, args: readonly string[], version: string): Promise<void> {
  const { code, output } = await finish(command, args, process.cwd()).catch((error: Error) => ({
    code: 1,
    output: error.message,
  }));
  if (code !== 0 && CANNOT_START.test(output)) throw new Missing(`it cannot be started: ${output.trim()}`);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${output}`);
  if (!output.includes(version)) throw new Error(`It should be ${version}, and says ${output.trim()}.`);
}

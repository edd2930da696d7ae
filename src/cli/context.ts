/** `process.stdout`, `process.stderr` or a stream of a test. */
export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Whether it keeps what is written in memory until its reader takes it, which it reports as `drain`. */
  readonly writableNeedDrain?: boolean;
  once?(event: "drain", listener: () => void): unknown;
}

/** The process of a command: arguments, environment and streams. Tests pass their own. */
export interface Context {
  /** The arguments, without the names of Node and of the program. */
  readonly argv: readonly string[];
  /** The environment variables. Read settings with `readSettings`, which adds those of `.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The current folder, for `.env` and for relative paths. */
  readonly cwd: string;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly version: string;
  /** Resolves on the first Ctrl-C, for a command that runs until then. Without a call, Ctrl-C ends the process. */
  untilInterrupted(): Promise<void>;
}

import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "./free-port.ts";

/** Why Redis cannot be tested on this machine. */
export const missingRedis: string | undefined =
  spawnSync("redis-server", ["--version"]).status === 0
    ? undefined
    : "there is no redis-server on this machine";

if (missingRedis !== undefined) {
  const howTo = "Debian, Ubuntu: apt-get install redis-server; macOS: brew install redis";
  console.warn(`NOT TESTED: redisStore, because ${missingRedis} (${howTo}).`);
}

/** A real Redis of one's own, in a temporary folder. */
export interface RedisServer {
  /** Of its unix socket. */
  readonly path: string;
  /** On 127.0.0.1; 0 where it listens on its unix socket alone. */
  readonly port: number;
  /** SIGKILL: it has no time to write anything. */
  readonly kill: () => Promise<void>;
  /** Starts it anew, on the same data and the same addresses. */
  readonly start: () => Promise<void>;
  /** Ends it, and removes its folder. */
  readonly stop: () => Promise<void>;
}

/** What is confirmed is on the disk. */
export const DURABLE = ["--appendonly", "yes", "--appendfsync", "always"] as const;

/**
 * A shell between Redis and this process, which does as it is told. When its input ends, so does Redis: nothing stays
 * behind where this process is killed.
 */
const KEEPER = `
trap '' INT TERM
folder=$1
shift
while read -r order; do
  case $order in
    start) redis-server "$@" & ;;
    kill) kill -9 $!; wait $!; echo killed ;;
  esac
done
kill -9 $! 2> /dev/null
wait
rm -rf "$folder"
`;

/** Starts a Redis that ends when it is told to, and with this process, whatever happens to that. */
export async function startRedis(...settings: readonly string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "payments-sdk-"));
  const path = join(folder, "redis.sock");
  const port = settings.includes("--cluster-enabled") ? await freePort() : 0;
  const place = ["--dir", folder, "--unixsocket", path, "--bind", "127.0.0.1", "--port", String(port)];
  const keeper = spawn("sh", ["-c", KEEPER, "sh", folder, ...place, "--save", "", ...settings]);
  keeper.unref();
  for (const stream of [keeper.stdin, keeper.stdout, keeper.stderr])
    (stream as { unref?: () => void }).unref?.();
  const start = () => tell(keeper, "start", /ready to accept connections at /);
  await start();
  return {
    path,
    port,
    kill: () => tell(keeper, "kill", /^killed$/),
    start,
    stop: async () => {
      keeper.ref();
      keeper.stdin.end();
      if (keeper.exitCode === null) await once(keeper, "exit");
    },
  };
}

/** Resolves with the line that tells that it is done. */
async function tell(keeper: ChildProcessWithoutNullStreams, order: string, done: RegExp): Promise<void> {
  const lines = createInterface({ input: keeper.stdout });
  keeper.ref();
  try {
    await new Promise<void>((resolve, reject) => {
      lines.on("line", (line) => {
        if (done.test(line)) resolve();
        if (/FATAL|Failed|Fatal|abort/.test(line)) reject(new Error(`redis-server: ${line}`));
      });
      keeper.once("exit", () => reject(new Error("The keeper of redis-server has ended.")));
      keeper.stdin.write(`${order}\n`);
    });
  } finally {
    lines.close();
    keeper.unref();
  }
}

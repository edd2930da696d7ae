import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "./running.ts";

/** Why Redis cannot be tested on this machine. */
export const missingRedis: string | undefined =
  spawnSync("redis-server", ["--version"]).status === 0 ? undefined : "redis-server is not installed";

if (missingRedis !== undefined) {
  const howTo = "Debian, Ubuntu: apt-get install redis-server; macOS: brew install redis";
  console.warn(`NOT TESTED: redisStore, because ${missingRedis} (${howTo}).`);
}

/** A separate, real Redis server in a temporary folder. */
export interface RedisServer {
  /** The path of its unix socket. */
  readonly path: string;
  /** On 127.0.0.1; 0 if it listens only on its unix socket. */
  readonly port: number;
  /** Kills it with SIGKILL: it cannot write anything more. */
  readonly kill: () => Promise<void>;
  /** Starts it again, with the same data and the same addresses. */
  readonly start: () => Promise<void>;
  /** Stops it and removes its folder. */
  readonly stop: () => Promise<void>;
}

/** Every confirmed write is on the disk. */
export const DURABLE = ["--appendonly", "yes", "--appendfsync", "always"] as const;

/**
 * A shell between Redis and this process, which executes commands. When its input ends, it kills Redis: even if this
 * process is killed, nothing stays behind.
 */
const KEEPER = `
trap '' INT TERM
folder=$1
shift
while read -r command; do
  case $command in
    start) redis-server "$@" & ;;
    kill) kill -9 $!; wait $!; echo killed ;;
  esac
done
kill -9 $! 2> /dev/null
wait
rm -rf "$folder"
`;

/** Starts a Redis server that ends on `stop`, or with this process, even if this is killed. */
export async function startRedis(...settings: readonly string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "payments-sdk-"));
  const path = join(folder, "redis.sock");
  const port = settings.includes("--cluster-enabled") ? await freePort() : 0;
  const place = ["--dir", folder, "--unixsocket", path, "--bind", "127.0.0.1", "--port", String(port)];
  const keeper = spawn("sh", ["-c", KEEPER, "sh", folder, ...place, "--save", "", ...settings]);
  keeper.unref();
  for (const stream of [keeper.stdin, keeper.stdout, keeper.stderr])
    (stream as { unref?: () => void }).unref?.();
  const start = () => send(keeper, "start", /ready to accept connections at /);
  try {
    await start();
  } catch (error) {
    keeper.stdin.end();
    throw error;
  }
  return {
    path,
    port,
    kill: () => send(keeper, "kill", /^killed$/),
    start,
    stop: async () => {
      keeper.ref();
      keeper.stdin.end();
      if (keeper.exitCode === null) await once(keeper, "exit");
    },
  };
}

/** Sends a command to the shell, and resolves once the line that confirms it is printed. */
async function send(keeper: ChildProcessWithoutNullStreams, command: string, done: RegExp): Promise<void> {
  const lines = createInterface({ input: keeper.stdout });
  keeper.ref();
  try {
    await new Promise<void>((resolve, reject) => {
      lines.on("line", (line) => {
        if (done.test(line)) resolve();
        if (/FATAL|Failed|Fatal|abort/.test(line)) reject(new Error(`redis-server: ${line}`));
      });
      keeper.once("exit", () => reject(new Error("The keeper of redis-server has ended.")));
      keeper.stdin.write(`${command}\n`);
    });
  } finally {
    lines.close();
    keeper.unref();
  }
}

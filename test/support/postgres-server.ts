import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresBinaries } from "./postgres-binaries.ts";

/** A real PostgreSQL. */
export interface PostgresServer {
  /** How pg and postgres.js connect. The host is a folder with a socket, so its port is always free. */
  readonly address: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
  /** Kills the server and starts it again. Data that was not yet written is lost. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Creates the data, runs the server, and restarts it for each line on its standard input. When the input ends, it stops
 * the server and deletes the folder: it outlives the process that started it, even if that was killed.
 */
const KEEPER = `
  folder=$1 initdb=$2 postgres=$3; shift 3
  trap : INT TERM
  trap '' PIPE # the reader of the log may be gone
  start() { "$postgres" -D "$folder/data" -k "$folder" "$@" & server=$!; }
  # A server that has just been started does not handle signals yet.
  end() { while kill -QUIT $server 2>/dev/null; do sleep 0.02; done; wait $server; }
  "$initdb" -D "$folder/data" -U postgres -A trust --no-sync --locale=C --encoding=UTF8 >&2 ||
    { rm -rf "$folder"; exit 1; }
  start "$@"
  while read -r line; do end; start "$@"; done
  end
  rm -rf "$folder"
`;

/** These tests never simulate a power cut, so no write has to wait for the disk. */
const SETTINGS = { fsync: "off", shared_buffers: "16MB", listen_addresses: "", port: "5432" };

let shared: Promise<PostgresServer> | undefined;

/** One server for all tests that share a process. It ends with the process. */
export function sharedPostgres(): Promise<PostgresServer> {
  shared ??= startPostgres();
  return shared;
}

/** @param settings - As in postgresql.conf. */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "payments-sdk-pg-"));
  const { initdb, postgres, spawning } = postgresBinaries(folder);
  const flags = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const keeper = spawn("/bin/sh", ["-c", KEEPER, "keeper", folder, initdb, postgres, ...flags], {
    ...spawning,
    stdio: ["pipe", "ignore", "pipe"],
  });
  const log = keeper.stderr as unknown as Socket; // the pipe of a child process is a socket
  const ready = readinessIn(log);
  await ready();
  keeper.unref();
  (keeper.stdin as unknown as Socket).unref();
  return {
    address: { host: folder, port: 5432, user: "postgres", database: "postgres" },
    async crash() {
      keeper.stdin.write("again\n");
      await ready();
    },
    async stop() {
      keeper.ref();
      keeper.stdin.end();
      if (keeper.exitCode === null && keeper.signalCode === null) await once(keeper, "exit");
    },
  };
}

/** Waits until the server logs again that it is ready. Otherwise its log does not keep the process alive. */
function readinessIn(log: Socket): () => Promise<void> {
  let text = "";
  let look: (() => void) | undefined;
  log.setEncoding("utf8");
  log.on("data", (chunk: string) => {
    text += chunk;
    look?.();
  });
  log.on("end", () => look?.());
  return () =>
    new Promise((resolve, reject) => {
      log.ref();
      look = () => {
        const isReady = text.includes("ready to accept connections");
        if (!isReady && log.readable) return;
        if (isReady) resolve();
        else reject(new Error(`PostgreSQL did not start:\n${text}`));
        text = "";
        look = undefined;
        log.unref();
      };
      look();
    });
}

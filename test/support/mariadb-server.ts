import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Debian has the server in a folder that is not in the PATH of every user. */
const PATH = `${process.env["PATH"] ?? ""}:/usr/sbin:/usr/local/sbin`;

/** Why MariaDB cannot be tested on this machine. */
export const missingMariadb: string | undefined =
  spawnSync("mariadbd", ["--version"], { env: { PATH } }).status === 0
    ? undefined
    : "mariadbd is not installed";

if (missingMariadb !== undefined) {
  const howTo = "Debian, Ubuntu: apt-get install mariadb-server; macOS: brew install mariadb";
  console.warn(`NOT TESTED: mysqlStore, because ${missingMariadb} (${howTo}).`);
}

/** A real MariaDB, which listens only on its unix socket. */
export interface MariadbServer {
  /** How mysql2 connects. */
  readonly address: { readonly socketPath: string; readonly user: string; readonly database: string };
  stop(): Promise<void>;
}

/** Runs the server. When the input ends, even because this process was killed, it kills it and deletes the folder. */
const KEEPER = `
  folder=$1; shift
  trap : INT TERM
  trap '' PIPE # the reader of the log may be gone
  mariadb-install-db --no-defaults --datadir="$folder/data" --tmpdir="$folder" \
    --auth-root-authentication-method=normal --skip-test-db --innodb-log-file-size=16M >&2 || { rm -rf "$folder"; exit 1; }
  mkdir "$folder/data/shop"
  mariadbd --no-defaults --datadir="$folder/data" --tmpdir="$folder" --socket="$folder/s" --skip-networking "$@" &
  read -r line
  kill -9 $! 2>/dev/null
  wait
  rm -rf "$folder"
`;

/** These tests never simulate a power cut, so no write has to wait for the disk. */
const SETTINGS = {
  "innodb-flush-method": "nosync",
  "innodb-buffer-pool-size": "32M",
  "innodb-log-file-size": "16M",
};

let shared: Promise<MariadbServer> | undefined;

/** One server for all tests that share a process. It ends with the process. */
export function sharedMariadb(): Promise<MariadbServer> {
  shared ??= startMariadb();
  return shared;
}

/** @param settings - As in my.cnf. */
export async function startMariadb(settings: Readonly<Record<string, string>> = {}): Promise<MariadbServer> {
  const folder = mkdtempSync(join(tmpdir(), "payments-sdk-my-"));
  const isRoot = process.getuid?.() === 0;
  const all = { ...SETTINGS, ...settings, ...(isRoot && { user: "root" }) };
  const flags = Object.entries(all).map(([name, value]) => `--${name}=${value}`);
  const keeper = spawn("/bin/sh", ["-c", KEEPER, "keeper", folder, ...flags], {
    stdio: ["pipe", "ignore", "pipe"],
    detached: true, // it cleans up after scripts/test.ts has killed the group of the tests
    env: { ...process.env, PATH },
  });
  const log = keeper.stderr as unknown as Socket; // the pipe of a child process is a socket
  let text = "";
  log.setEncoding("utf8");
  await new Promise<void>((resolve, reject) => {
    log.on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("ready for connections")) resolve();
    });
    log.on("end", () => reject(new Error(`MariaDB did not start:\n${text}`)));
  });
  for (const each of [keeper, log, keeper.stdin as unknown as Socket]) each.unref();
  return {
    address: { socketPath: join(folder, "s"), user: "root", database: "shop" },
    async stop() {
      keeper.ref();
      keeper.stdin.end();
      if (keeper.exitCode === null && keeper.signalCode === null) await once(keeper, "exit");
    },
  };
}

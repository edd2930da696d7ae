import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A `sh` that knows no command but its own and curl. */
export interface Shell {
  /** Runs lines after all earlier ones, with their variables: what they print, and how the last one ended. */
  run(lines: string): Promise<{ readonly printed: string; readonly code: number }>;
  close(): void;
}

const standIn = join(import.meta.dirname, "curl.ts");
const installed = spawnSync("sh", ["-c", "command -v curl"], { encoding: "utf8" }).stdout.trim();

/** What there is to run curl's lines with: curl itself only where it is installed. */
export const CURLS = installed === "" ? ["the stand-in"] : ["curl", "the stand-in"];

export function openShell(curl: string): Shell {
  const folder = mkdtempSync(join(tmpdir(), "payments-sdk-curl-"));
  const command = join(folder, "curl");
  if (curl === "curl") {
    symlinkSync(installed, command);
  } else {
    writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${standIn}' "$@"\n`);
    chmodSync(command, 0o755);
  }
  // Neither a person's settings nor a proxy.
  const sh = spawn("/bin/sh", { env: { PATH: folder, CURL_HOME: folder, HOME: folder, no_proxy: "*" } });
  let output = "";
  sh.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    sh.emit("printed");
  });
  sh.stderr.resume(); // curl's progress, which it shows where its output is no terminal

  return {
    run: (lines) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const end = /\n-- ended: (\d+)\n$/.exec(output);
          if (!end) return;
          sh.off("printed", look).off("close", fail).off("error", reject);
          resolve({ printed: output.slice(0, end.index), code: Number(end[1]) });
        };
        const fail = () => reject(new Error(`The shell ended.\n${output}`));
        output = "";
        sh.on("printed", look).once("close", fail).once("error", reject);
        sh.stdin.write(`${lines}\nprintf '\\n-- ended: %s\\n' "$?"\n`);
      }),
    close() {
      sh.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

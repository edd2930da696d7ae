import { spawnSync } from "node:child_process";

/** Debian has it in a folder that only root has on its PATH. */
export const nginx: string | undefined = ["nginx", "/usr/sbin/nginx"].find(
  (path) => spawnSync(path, ["-v"]).status === 0,
);

/** Why nginx cannot be tested on this machine. */
export const missingNginx: string | undefined = nginx ? undefined : "nginx is not installed";

if (missingNginx !== undefined) {
  const howTo = "Debian, Ubuntu: apt-get install nginx; macOS: brew install nginx";
  console.warn(`NOT TESTED: nginx in docs/logs-and-csp.md, because ${missingNginx} (${howTo}).`);
}

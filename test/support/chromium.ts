import { existsSync } from "node:fs";

/** How to start Chromium. */
export interface Launch {
  readonly executablePath: string;
  readonly env?: Record<string, string | undefined>;
}

const CHANGED = ["AWS_LAMBDA_JS_RUNTIME", "FONTCONFIG_PATH", "LD_LIBRARY_PATH"] as const;

/** A Chromium to launch: $CHROMIUM, a system one, or the one inside the npm package. */
export async function chromium(): Promise<Launch> {
  const system = [process.env["CHROMIUM"], "/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
  for (const path of system) if (path && existsSync(path)) return { executablePath: path };

  // Makes the package unpack the libraries too, so that nothing has to be installed on the machine.
  const before = CHANGED.map((name) => [name, process.env[name]] as const);
  process.env["AWS_LAMBDA_JS_RUNTIME"] = "nodejs24.x";
  const { default: packed } = await import("@sparticuz/chromium");
  const launch = { executablePath: await packed.executablePath(), env: { ...process.env } };
  // Only the browser may see its libraries: other programs would load them instead of their own.
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  return launch;
}

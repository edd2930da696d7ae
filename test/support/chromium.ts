import { existsSync } from "node:fs";

/** How a Chromium is started. */
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
  // Its libraries are the browser's alone: another program would load them in the place of its own.
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  return launch;
}

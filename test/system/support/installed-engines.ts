import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The browser engines in which the pages are tested. */
export const ENGINES = ["chromium", "firefox", "webkitgtk"] as const;

export type EngineName = (typeof ENGINES)[number];

const onPath = (program: string): string | undefined =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));

export const firefox: string | undefined =
  process.env["FIREFOX"] || onPath("firefox-esr") || onPath("firefox");

/** WebKitGTK's own browser. It is not on the PATH: its folder has the name of the processor. */
export const miniBrowser: string | undefined = (existsSync("/usr/lib") ? readdirSync("/usr/lib") : [])
  .flatMap((folder) => ["webkit2gtk-4.1", "webkitgtk-6.0"].map((version) => join(folder, version)))
  .map((folder) => join("/usr/lib", folder, "MiniBrowser"))
  .find((path) => existsSync(path));

const lacksWebKit =
  miniBrowser === undefined || onPath("WebKitWebDriver") === undefined || onPath("Xvfb") === undefined;

/** Why an engine cannot be tested on this machine. Chromium comes from npm. */
export const missingEngines: Readonly<Partial<Record<EngineName, string>>> = {
  ...(firefox === undefined && { firefox: "firefox-esr is not installed" }),
  ...(lacksWebKit && { webkitgtk: "webkit2gtk-driver or xvfb is not installed" }),
};

for (const [name, reason] of Object.entries(missingEngines)) {
  console.warn(
    `NOT TESTED: ${name}, because ${reason} (apt-get install firefox-esr webkit2gtk-driver xvfb).`,
  );
}

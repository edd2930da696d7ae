import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Installed, inFolder, packOurs, weighInstall } from "../install/weigh-install.ts";
import type { Aim, Effort, Measurement, Section } from "../support/measurement.ts";

const OURS = "payments-sdk";
const OTHERS = [
  "stripe",
  "mercadopago",
  "openai",
  "@anthropic-ai/sdk",
  "@paddle/paddle-node-sdk",
  "square",
  "@adyen/api-library",
];
const PEERS = join(import.meta.dirname, "..", "peers", "package.json");

export const measurement: Measurement = {
  name: "install",
  run: (effort) =>
    inFolder(async (folder) => {
      const weighed = new Map<string, Installed | Error>();
      for (const [name, spec] of await specs(folder, effort)) {
        weighed.set(name, await weighInstall(name, spec).catch(asError));
      }
      return sectionOf(weighed);
    }),
};

/** What npm is asked to install: ours from its tarball, the others in the versions that are measured elsewhere. */
async function specs(folder: string, effort: Effort): Promise<readonly (readonly [string, string])[]> {
  const ours = [OURS, await packOurs(folder)] as const;
  if (effort === "quick") return [ours];
  const { dependencies } = JSON.parse(await readFile(PEERS, "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return [ours, ...OTHERS.map((name) => [name, `${name}@${dependencies[name] ?? "latest"}`] as const)];
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function sectionOf(weighed: ReadonlyMap<string, Installed | Error>): Section {
  const missing = [...weighed].filter(([, installed]) => installed instanceof Error).map(([name]) => name);
  const ours = weighed.get(OURS);
  return {
    title: "Installed",
    text: [
      "What `npm install` of each brings into an empty project: packages, itself included, and the bytes of their files.",
      `Ours comes from the tarball that \`npm pack\` makes, with its source, its documentation and its source maps.`,
      ...(missing.length === 0
        ? []
        : [
            `Not measured, because npm could not install it here, which needs a registry: ${missing.join(", ")}.`,
          ]),
    ].join(" "),
    tables: [
      {
        caption: "",
        columns: ["package", "packages", "MB", "MB of its own"],
        rows: [...weighed].flatMap(([name, installed]) =>
          installed instanceof Error
            ? []
            : [[name, String(installed.packages), megabytes(installed.bytes), megabytes(installed.ownBytes)]],
        ),
      },
    ],
    aims: ours === undefined || ours instanceof Error ? [] : aimsOf(ours),
  };
}

function aimsOf({ packages, bytes }: Installed): Aim[] {
  return [
    { what: "Installed besides our own package", unit: "packages", limit: 3, found: packages - 1 },
    { what: "Installed, our own package included", unit: "MB", limit: 7.5, found: bytes / 1e6 },
  ];
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}

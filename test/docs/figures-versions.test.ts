import { ROWS } from "../runtime/rows/rows.ts";
import { testedVersions } from "../runtime/rows/tested.ts";
import { foundIn, testClaims, textOf } from "./support/figures.ts";

const manifest = JSON.parse(textOf("package.json")) as {
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
};

const oldestNode = () => manifest.engines.node;
const versionOfMsw = () => manifest.peerDependencies["msw"];
const dependencies = () => Object.keys(manifest.dependencies);
const compiledIn = () =>
  Array.from(
    textOf("dist/third-party-licenses.txt").matchAll(/^(\S+) \d+\.\S+\n\n/gm),
    ([, name = ""]) => name,
  );

const versionsOf = (label: string) => testedVersions()[label] ?? [];
const majorAndMinor = (version = "") => version.split(".").slice(0, 2).join(".");

testClaims([
  ["README.md", "Two runtime dependencies, [ky]", ["jose", "ky"], dependencies],
  ["README.pt-BR.md", "Duas dependências em tempo de execução, [ky]", ["jose", "ky"], dependencies],
  ["README.md", "`require()` loads it, too, from Node 22.13 on.", ">=22.13", oldestNode],
  ["README.pt-BR.md", "a partir do Node 22.13, `require()` também o carrega", ">=22.13", oldestNode],
  ["docs/runtimes.md", "## Node 22.13 or newer.", ">=22.13", oldestNode],
  ["docs/runtimes.md", "from 22.13 on and without a flag", ">=22.13", oldestNode],
  ["docs/stores.md", "| needs | nothing | Node 22.13 or newer |", ">=22.13", oldestNode],
  ["docs/postbacks.md", "// Node 22.13 or newer", ">=22.13", oldestNode],
  [
    "docs/decisions/esm-only.md",
    "From Node 22.13 on, which is the oldest that we support",
    ">=22.13",
    oldestNode,
  ],
  // Node's own notes on 22.18 say that it strips types without a flag.
  [
    "README.md",
    "call it `pay.mts` (Node 22.18 and newer run that)",
    "22.18",
    () => foundIn("README.pt-BR.md", /o Node executa isso a partir do (\d+\.\d+)\)/),
  ],
  [
    "README.pt-BR.md",
    "chame-o de `pay.mts` (o Node executa isso a partir do 22.18)",
    "22.18",
    () => foundIn("README.md", /\(Node (\d+\.\d+) and newer run that\)/),
  ],
  [
    "README.md",
    "With Node 20 or newer and npm;",
    "20",
    () => foundIn("CONTRIBUTING.md", /Node (\d+) or newer is enough to begin with/),
  ],
  [
    "README.pt-BR.md",
    "Com Node 20 ou mais novo e npm;",
    "20",
    () => foundIn("CONTRIBUTING.md", /Node (\d+) or newer is enough to begin with/),
  ],
  ["README.md", "the service, behind msw 3 |", ">=3", versionOfMsw],
  ["README.pt-BR.md", "o serviço, por trás do msw 3 |", ">=3", versionOfMsw],
  ["docs/testing.md", "msw 3 or newer;", ">=3", versionOfMsw],
  [
    "CHANGELOG.md",
    "was tried on Node 22.13 to 26, Bun,",
    ["22.13", "26.10"],
    () => [majorAndMinor(versionsOf("Node")[0]), majorAndMinor(versionsOf("Node").at(-1))],
  ],
  [
    "CHANGELOG.md",
    "with four bundlers, TypeScript 5.4 to 7, Jest",
    [4, "5.4", "7.0"],
    () => [
      ROWS.filter(({ group }) => group === "bundlers").length,
      ...[versionsOf("TypeScript")[0], versionsOf("TypeScript").at(-1)].map(majorAndMinor),
    ],
  ],
  [
    "SECURITY.md",
    "ky and jose are the only packages that come along, at exact versions;",
    [
      ["jose", true],
      ["ky", true],
    ],
    () => Object.entries(manifest.dependencies).map(([name, range]) => [name, /^\d+\.\d+\.\d+$/.test(range)]),
  ],
  [
    "SECURITY.md",
    "zod, lean-qr and preact are compiled in.",
    ["lean-qr", "preact", "zod"],
    () => compiledIn().filter((name) => !Object.hasOwn(manifest.dependencies, name)),
  ],
  [
    "docs/observability.md",
    "(`@opentelemetry/instrumentation-undici`, tested with 0.34 on Node 24)",
    ["0.34", "24"],
    () => [
      majorAndMinor(manifest.devDependencies["@opentelemetry/instrumentation-undici"]),
      manifest.devDependencies["node"]?.split(".")[0],
    ],
  ],
]);

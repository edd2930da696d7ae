import { onTestFinished, vi } from "vitest";
import { onceByPlatform } from "../../src/client/once-by-platform.ts";
import { ConfigurationError } from "../../src/core/errors/configuration-error.ts";
import { RequestProgress } from "../../src/core/request-progress.ts";
import { nodeTransport } from "../../src/transport/node-transport.ts";
import { foundIn, testClaims, textOf } from "./support/figures.ts";

/** Whether a create gets a connection of its own, on a Bun of such a version. */
function hasOwnConnection(version: string): boolean {
  vi.stubGlobal("Bun", { version });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const init: RequestInit = {};
  onceByPlatform(init, "{}", () => undefined, new RequestProgress()); // of Bun, and so not of Node
  return init.keepalive === false;
}

/** Whether there is no nodeTransport on a runtime that shows itself by such a global. */
function isRefused(global: Readonly<Record<string, object>>): boolean {
  for (const [name, value] of Object.entries(global)) vi.stubGlobal(name, value);
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  try {
    nodeTransport().close();
    return false;
  } catch (error) {
    if (error instanceof ConfigurationError) return true;
    throw error;
  }
}

const COMPILERS = "test/runtime/rows/compilers.ts";

const { devDependencies = {} } = JSON.parse(textOf("package.json")) as {
  devDependencies?: Readonly<Record<string, string>>;
};
const peersOf = (name: string) =>
  (
    JSON.parse(textOf(`node_modules/${name}/package.json`)) as {
      peerDependencies: Readonly<Record<string, string>>;
    }
  ).peerDependencies;
const majorOf = (name: string) => devDependencies[name]?.split(".")[0];

/** The version of an action, as our own workflows name it behind its hash. */
const actionOf = (name: string) =>
  foundIn(".github/workflows/ci.yml", new RegExp(`${name}@[0-9a-f]+ # (v\\d+)\\.`));

testClaims([
  [
    "docs/runtimes.md",
    "Each create has a connection of its own, which costs a handshake:",
    [true, true, false],
    () => ["0.9.0", "1.3.99", "1.4.0"].map(hasOwnConnection),
  ],
  [
    "docs/runtimes.md",
    "Bun 1.3.12 and older send a POST again whose kept connection broke,",
    "1.3.12",
    () => foundIn("src/client/once-by-platform.ts", /Bun did the same .+ at least up to (\d+\.\d+\.\d+)/),
  ],
  [
    "docs/runtimes.md",
    "and have errors before TypeScript 5.7: there, `skipLibCheck`.",
    "5.7",
    () => foundIn(COMPILERS, /const FIRST_FOR_MSW = "(\d+\.\d+)"/),
  ],
  [
    "docs/runtimes.md",
    "msw 3, which asks for TypeScript 5.9 or newer:",
    ">=5.9.x",
    () => peersOf("msw")["typescript"],
  ],
  [
    "docs/runtimes.md",
    "`nodeTransport` needs Bun 1.4 or newer, and throws a `ConfigurationError` before.",
    [true, true, false],
    () => ["0.9.0", "1.3.99", "1.4.0"].map((version) => isRefused({ Bun: { version } })),
  ],
  [
    "docs/runtimes.md",
    "`nodeTransport` needs Deno 2.9 or newer, and throws a `ConfigurationError` before.",
    [true, true, false],
    () => ["1.46.3", "2.8.99", "2.9.0"].map((deno) => isRefused({ Deno: { version: { deno } } })),
  ],
  [
    "docs/runtimes.md",
    '`"lib": ["es2022"]` is enough.',
    "es2022",
    () => foundIn(COMPILERS, /const ON_NODE_ALONE = .* lib: \["(\w+)"\] \}/),
  ],
  [
    "docs/speed.md",
    "`NODE_USE_ENV_PROXY=1` or `--use-env-proxy`, from Node 24 on.",
    "24",
    () => foundIn("src/transport/node-transport.ts", /`NODE_USE_ENV_PROXY=1`, from Node (\d+) on/),
  ],
  ["docs/testing.md", "uses: actions/checkout@v7", "v7", () => actionOf("actions/checkout")],
  ["docs/testing.md", "uses: actions/setup-node@v7", "v7", () => actionOf("actions/setup-node")],
  ["docs/testing.md", "node-version: 24", "24", () => majorOf("node")],
  ["examples/postbacks/README.md", "| Express 5; the handler", "5", () => majorOf("express")],
  ["examples/postbacks/README.md", "| Fastify 5; in a scope", "5", () => majorOf("fastify")],
  [
    "examples/README.md",
    "a Ctrl-C ends with 130, or with 0",
    "130",
    () => foundIn("examples/support/interrupts.ts", /SIGINT: (\d+)/),
  ],
]);

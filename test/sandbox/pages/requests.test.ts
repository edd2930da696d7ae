import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { createGateway, type SandboxRequest } from "payments-sdk/sandbox";
import { expect, test } from "vitest";
import { toCurl } from "../../../src/sandbox/pages/dashboard/curl.ts";

const POST = { method: "POST", path: "/api/v1/transactions", endpoint: "transactions.create" } as const;

test.each([
  [
    { ...POST, requestBody: `{"a":"d'água $HOME"}` },
    `curl "$PAYMENTS_BASE_URL/api/v1/transactions" \\
  -u "$PAYMENTS_SECRET_KEY:$PAYMENTS_PUBLIC_KEY" \\
  -H 'content-type: application/json' \\
  --data-raw '{"a":"d\\u0027\\u00E1gua $HOME"}'`,
  ],
  [
    { method: "DELETE", path: '/pay/x?publicKey=[redacted]&q=$(id)"`{1}', requestBody: "" },
    `curl "$PAYMENTS_BASE_URL/x?publicKey=$PAYMENTS_PUBLIC_KEY&q=%24%28id%29%22%60%7B1%7D" \\
  -X 'DELETE'`,
  ],
])(
  "a request is a curl command with placeholders for the keys, and quotes that hold: %j",
  (request, command) => {
    expect(toCurl(request, "/pay")).toBe(command);
  },
);

const SHELL_VARIABLES = {
  ...{ PAYMENTS_BASE_URL: "http://base", PAYMENTS_SECRET_KEY: "sk", PAYMENTS_PUBLIC_KEY: "[redacted]" },
  PATH: "/nowhere",
};

/** Runs a command in a POSIX shell whose `curl` prints its arguments, and which finds no other program. */
function runInShell(command: string) {
  const script = `curl() { printf '%s\\0' curl "$@"; }\n${command}\n`;
  const { stdout, stderr, status } = spawnSync("/bin/sh", ["-euc", script], {
    env: SHELL_VARIABLES,
    encoding: "utf8",
  });
  return { args: stdout.split("\0").slice(0, -1).map(normalized), stderr, status };
}

/** The same text for the same request: `(` and `%28` in a URL, `ã` and `\u00E3` in JSON. */
function normalized(text: string): string {
  if (text.startsWith("http:"))
    return Buffer.from(text)
      .toString("latin1")
      .replace(/%([\da-f]{2})/gi, toCharacter);
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

const toCharacter = (_escape: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));

function argsFor({ method, path, requestBody, endpoint }: SandboxRequest): readonly string[] {
  const args = ["curl", `http://base${path}`];
  if (method !== (requestBody === "" ? "GET" : "POST")) args.push("-X", method);
  if (endpoint === "transactions.create") args.push("-u", "sk:[redacted]");
  if (requestBody !== "") args.push("-H", "content-type: application/json", "--data-raw", requestBody);
  return args.map(normalized);
}

const HOSTILE = [
  ...["4111111111111111", "%15", "%0A", "%1b", "%7F", "%23", "%26", "%2B", "%zz", "%FF", "/", "?", "&", "="],
  ...[
    "'",
    '"',
    "`id`",
    "$(id)",
    "$HOME",
    "\\",
    "!!",
    "[1-9]",
    "{a,b}",
    ";",
    "|",
    "#",
    "~",
    "*",
    "\n",
    "\r",
    "\t",
  ],
  ...[
    "\u0000",
    "\u0003",
    "\u0015",
    "\u001b[201~",
    "\u007f",
    "\u0095",
    "\u009b",
    "\u2028",
    "Ê",
    "🙂",
    "\ud800",
  ],
];
const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "binary" })))
  .map((parts) => parts.join(""));

test("a command is exactly the request that was sent, whatever it was, and has nothing that a terminal acts on", async () => {
  const methods = fc.constantFrom("POST", "GET", "PUT", "it's`a$b!");
  const paths = fc.tuple(fc.constantFrom("api/v1/transactions?", "api/v1/card-token?", "x"), hostileText);
  const json = fc.dictionary(hostileText, fc.oneof(hostileText, fc.jsonValue()));
  const bodies = fc.oneof(
    hostileText,
    json.map((body) => JSON.stringify(body)),
  );
  await fc.assert(
    fc.asyncProperty(methods, paths, bodies, async (method, path, body) => {
      const gateway = createGateway();
      await gateway.fetch(`${gateway.baseUrl}/${path.join("")}`, {
        method,
        ...(method !== "GET" && { body }),
      });
      const request = gateway.requests[0] as SandboxRequest;

      const command = toCurl(request, "");

      expect(command.replaceAll(" \\\n  ", " ")).toMatch(/^[ -~]+$/);
      expect(runInShell(command)).toEqual({ args: argsFor(request), stderr: "", status: 0 });
    }),
    { numRuns: 200 },
  );
});

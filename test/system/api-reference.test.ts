import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeApiReference } from "../../scripts/api-reference.ts";

let folder: string;
let complaints: readonly string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "payments-sdk-reference-"));
  complaints = await writeApiReference(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const root = join(import.meta.dirname, "../..");
const page = (file: string) => readFileSync(join(folder, file), "utf8");

test("every public name is documented and can be named, and every link leads somewhere", () => {
  expect(complaints).toEqual([]);
});

test.each([
  ["payments-sdk", "payments-sdk.html", "PaymentsClient"],
  ["payments-sdk/browser", "payments-sdk_browser.html", "cardBrand"],
  ["payments-sdk/postbacks", "payments-sdk_postbacks.html", "createPostbackHandler"],
  ["payments-sdk/idempotency", "payments-sdk_idempotency.html", "sqliteStore"],
  ["payments-sdk/node", "payments-sdk_node.html", "nodeTransport"],
  ["payments-sdk/sandbox", "payments-sdk_sandbox.html", "createGateway"],
  ["payments-sdk/sandbox/server", "payments-sdk_sandbox_server.html", "startSandbox"],
  ["payments-sdk/msw", "payments-sdk_msw.html", "handlers"],
])("%s has a page by its public name, with what it exports", (entry, file, name) => {
  const html = page(`modules/${file}`);

  expect(html).toContain(`<title>${entry} | payments-sdk</title>`);
  expect(html).toContain(`>${name}<`);
});

test("the README is in front", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const headings = [...readme.matchAll(/^## ([\w ,:-]+)$/gm)].map((match) => match[1] ?? "");
  const front = page("index.html");

  expect(headings.length).toBeGreaterThan(3);
  expect(headings.filter((heading) => !front.includes(`>${heading}<`))).toEqual([]);
});

test("a heading of code has the anchor that links to it expect", () => {
  const headings = [...page("documents/errors.html").matchAll(/<h3 id="([^"]+)"/g)].map((match) => match[1]);

  expect(headings).toContain("timed_out");
});

test("what a merchant calls has its methods, and neither what is internal nor how it is made", () => {
  const resource = page("interfaces/payments-sdk.TransactionsResource.html");
  const error = page("classes/payments-sdk.TimeoutError.html");

  expect(resource).toContain('id="createpix"');
  expect(error).toContain("Do not send a create again");
  expect(resource + error).not.toContain('id="constructor"');
});

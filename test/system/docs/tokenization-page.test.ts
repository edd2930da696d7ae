import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startSandbox } from "payments-sdk/sandbox/server";
import { expect, onTestFinished, test } from "vitest";
import { useBrowser, visit } from "../../support/browsing.ts";
import { root } from "../../support/tool.ts";
import { filesIn, startDocumentedSite } from "./documented-site.ts";

useBrowser();

test("the documented Web Worker creates a token, and its errors keep their fields", async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const files = filesIn("tokenization.md", sandbox.baseUrl);
  files.set("browser.global.js", readFileSync(join(root, "dist/browser.global.js"), "utf8"));
  files.set("index.html", '<!doctype html><title>A shop</title><script src="/with-worker.js"></script>');
  const { page, browserErrors } = await visit(await startDocumentedSite({ service: sandbox.baseUrl, files }));
  const inWorker = (number: string) =>
    page.evaluate((typed) => {
      const card = { holderName: "Maria Exemplo", expirationMonth: 3, expirationYear: 39, cvv: "123" };
      const { tokenizeInWorker } = window as unknown as { tokenizeInWorker(card: object): Promise<object> };
      return tokenizeInWorker({ ...card, number: typed });
    }, number);

  const [created, failed] = [await inWorker("4111111111111111"), await inWorker("4111")];

  expect(created).toEqual({ token: expect.stringMatching(/^eyJ/), expiresAt: expect.any(Date) });
  expect(failed).toMatchObject({ error: { actor: "customer", issues: [{ field: "number" }] } });
  expect(browserErrors).toEqual([]);
});

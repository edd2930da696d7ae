import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startSandbox } from "payments-sdk/sandbox/server";
import { expect, onTestFinished, test } from "vitest";
import { useBrowser, visit } from "../../support/browsing.ts";
import { startServer } from "../../support/http-server.ts";
import { root } from "../../support/running.ts";

useBrowser();

/** Before the elements are defined: records what the browser gives back to each of them. */
const RECORDER = `
  const define = customElements.define.bind(customElements);
  window.restored = {};
  customElements.define = (name, element) => {
    element.prototype.formStateRestoreCallback = (state) => { restored[name] = state; };
    define(name, element);
  };
  // As in a crash: the form cannot reset itself.
  addEventListener("pagehide", (event) => event.stopImmediatePropagation());
  customElements.define("shop-note", class extends HTMLElement {
    static formAssociated = true;
    internals = this.attachInternals();
  });
`;

test("the browser saves no card token in its history", async () => {
  const { baseUrl: service, publicKey, close } = await startSandbox();
  onTestFinished(close);
  const { baseUrl } = await startServer(({ request: { url }, response }) => {
    const isPage = url === "/";
    response.setHeader("content-type", `text/${isPage ? "html" : "javascript"}; charset=utf-8`);
    response.end(
      isPage
        ? `<!doctype html><html lang="en"><script>${RECORDER}</script><script src="/elements.global.js"></script><form>
            <shop-note name="note"></shop-note>
            <payment-card-form name="token" base-url="${service}" public-key="${publicKey}"></payment-card-form>
          </form>`
        : readFileSync(join(root, "dist/elements.global.js")),
    );
  });
  const { page } = await visit(baseUrl);
  await page.getByLabel("Card number").pressSequentially("4111111111111111");
  await page.getByLabel("Name on card").fill("Maria Exemplo");
  await page.getByLabel("Expiry date").pressSequentially("0339");
  await page.getByLabel("Security code").fill("123");
  const token = await page.evaluate(async () => {
    const note = document.querySelector("shop-note") as HTMLElement & { internals: ElementInternals };
    note.internals.setFormValue("a note");
    const form = document.querySelector("form") as HTMLFormElement;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.requestSubmit();
    await new Promise((resolve) => form.addEventListener("payment-token", resolve));
    return new FormData(form).get("token");
  });

  await page.goto(`${baseUrl}/other`);
  await page.goBack();

  expect(token).toMatch(/^eyJ/);
  const restored = () => page.evaluate(() => (window as unknown as { restored: object }).restored);
  await expect.poll(restored).toMatchObject({ "shop-note": "a note" });
  expect(JSON.stringify(await restored())).not.toContain(token);
});

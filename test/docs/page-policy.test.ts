import { startSandbox } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { useBrowser, visit } from "../support/browsing.ts";
import { html, startServer } from "../support/http-server.ts";
import { pageOf, policiesIn, startDocumentedSite } from "./support/documented-site.ts";

useBrowser();

async function startShop(): Promise<string> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  return startDocumentedSite({ service: sandbox.baseUrl });
}

/** The form of the page, and the directives that have stopped something in it. */
async function openWatched() {
  const { page } = await visit(await startShop());
  await page.evaluate(() => {
    const stopped: string[] = [];
    Object.assign(window, { stopped });
    addEventListener("securitypolicyviolation", ({ effectiveDirective }) => stopped.push(effectiveDirective));
  });
  const stopped = () => page.evaluate(() => (window as unknown as { stopped: string[] }).stopped);
  return { page, stopped };
}

test("one page gives the policy, and explains each directive of it", () => {
  const pci = pageOf("pci.md");
  const [policy = "", ...others] = [...policiesIn(pci), ...policiesIn(pageOf("tokenization.md"))];
  const directives = policy.split("; ").map((directive) => directive.split(" ")[0]);

  const explained = Array.from(pci.matchAll(/^\| `([a-z-]+) .*` \|/gm), ([, name]) => name);

  expect(others).toEqual([]);
  expect(explained).toEqual(directives);
  expect(directives).toContain("connect-src");
});

describe("the policy stops", () => {
  test.each([
    ["a script in the page", "script-src-elem", "script", { text: "1" }],
    ["a script of another host", "script-src-elem", "script", { src: "http://other.example/x.js" }],
    ["a style in the page", "style-src-elem", "style", { textContent: "p { color: red }" }],
    ["an image of another host", "img-src", "img", { src: "http://other.example/?card=1" }],
    ["a frame", "frame-src", "iframe", { src: "http://other.example/" }],
    ["another base", "base-uri", "base", { href: "http://other.example/" }],
  ])("%s, by %s", async (_what, directive, tag, properties) => {
    const { page, stopped } = await openWatched();

    await page.evaluate(
      ([name, given]) => document.body.append(Object.assign(document.createElement(name), given)),
      [tag, properties] as const,
    );

    await expect.poll(stopped).toEqual([directive]);
  });

  test("code in an attribute", async () => {
    const { page, stopped } = await openWatched();

    await page.evaluate(() => {
      document.body.setAttribute("onclick", "1");
      document.body.click();
    });

    await expect.poll(stopped).toEqual(["script-src-attr"]);
  });

  test("a call to another host", async () => {
    const { page, stopped } = await openWatched();

    await page.evaluate(() => fetch("http://other.example/").catch(() => undefined));

    await expect.poll(stopped).toEqual(["connect-src"]);
  });

  test("the form being sent by the browser", async () => {
    const { page, stopped } = await openWatched();

    await page.evaluate(() => document.querySelector("form")?.submit());

    await expect.poll(stopped).toEqual(["form-action"]);
  });

  test("a page that frames the form", async () => {
    const shop = await startShop();
    const thief = await startServer(html(200, `<iframe src="${shop}"></iframe>`));

    const { page } = await visit(thief.baseUrl);

    await expect.poll(() => page.frames()[1]?.url()).toBe("chrome-error://chromewebdata/");
  });
});

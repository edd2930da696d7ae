import type { Page } from "playwright";
import { visit } from "../../support/browsing.ts";
import { startServer } from "../../support/http-server.ts";

const PAGE = `<!doctype html><html lang="en"><title>A shop</title><script type="module" src="/page.js"></script></html>`;

/** Opens a page with one script, under a policy that forbids everything but calls to the service. */
export async function openPage(script: string, serviceUrl: string): Promise<Page> {
  const { baseUrl } = await startServer(({ request, response }) => {
    const isScript = request.url === "/page.js";
    response.setHeader(
      "content-security-policy",
      `default-src 'none'; script-src 'self'; connect-src ${serviceUrl}`,
    );
    response.setHeader("content-type", `text/${isScript ? "javascript" : "html"}; charset=utf-8`);
    response.end(isScript ? script : PAGE);
  });
  return (await visit(baseUrl)).page;
}

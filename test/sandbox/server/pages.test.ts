import { expect, test } from "vitest";
import { start } from "../support/running.ts";

test.each([
  ["/", "text/html"],
  ["/checkout/x", "text/html"],
  ["/sandbox/assets/dashboard.js", "text/javascript"],
  ["/sandbox/assets/checkout.js", "text/javascript"],
  ["/sandbox/assets/styles.css", "text/css"],
])("%s is %s, is not cached, loads nothing from other hosts and cannot be framed", async (path, type) => {
  const { baseUrl } = await start();

  const response = await fetch(baseUrl + path);
  const head = await fetch(baseUrl + path, { method: "HEAD" });

  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe(`${type}; charset=utf-8`);
  const policy = response.headers.get("content-security-policy");
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test.each([
  ["fr-FR,pt-BR;q=0.9,en;q=0.8", "pt-BR"],
  ["en-US,en;q=0.9,pt;q=0.8", "en"],
  ["es-PT", "en"],
])("a browser that accepts %s gets pages in %s", async (accepted, language) => {
  const response = await fetch((await start()).baseUrl, { headers: { "accept-language": accepted } });

  expect(await response.text()).toContain(`<html lang="${language}"`);
});

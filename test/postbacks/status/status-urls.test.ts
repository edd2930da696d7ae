import { InvalidRequestError } from "payments-sdk/postbacks";
import { describe, expect, test, vi } from "vitest";
import { failureOf } from "../../support/merchant.ts";
import { aSigner, KEY, ORDER, OTHER_KEY, POSTBACK, partOf, refusalOf } from "../support/signing.ts";

const URL_OF_STATUS = "https://loja.example/status";
const { externalRef } = ORDER;
const signer = aSigner();
const tokenIn = (url: string) => new URL(url, "https://loja.example").searchParams.get("stsig") ?? "";

describe("the status URL of an order", () => {
  test("has a token of its own type with the reference, and is valid for 31 days", async () => {
    const url = await signer.statusUrl(`${URL_OF_STATUS}?lang=pt#top`, { externalRef: "pedido 77 ç" });

    expect(url).toMatch(/^https:\/\/loja\.example\/status\?lang=pt&stsig=[\w-]+\.[\w-]+\.[\w-]+#top$/);
    expect(partOf(tokenIn(url), 0)).toEqual({ alg: "HS256", kid: "k1", typ: "st" });
    const { exp, ...claims } = partOf(tokenIn(url), 1);
    expect(claims).toEqual({ ref: "pedido 77 ç" });
    expect(Number(exp) / 86_400).toBeCloseTo(Date.now() / 86_400_000 + 31, 2);
    expect(await signer.verifyStatusUrl(url)).toEqual({ externalRef: "pedido 77 ç" });
  });

  test("may be a path, and replaces an earlier token", async () => {
    const before = await signer.statusUrl("/pedidos/ç?a=1", { externalRef: "other" });

    const url = await signer.statusUrl(before, ORDER);

    expect(url).toMatch(/^\/pedidos\/ç\?a=1&stsig=[\w.-]+$/);
    expect(await signer.verifyStatusUrl(url)).toEqual({ externalRef });
  });

  test("expires at `expiresAt`", async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const url = await signer.statusUrl(URL_OF_STATUS, { externalRef, expiresAt });
    vi.useFakeTimers({ toFake: ["Date"], now: expiresAt.getTime() + 2_000 });

    expect(await refusalOf(signer.verifyStatusUrl(url))).toBe("expired");

    vi.useRealTimers();
  });

  test("is signed by the first key and verified by all", async () => {
    const rotated = aSigner(OTHER_KEY, KEY);
    const byOld = await signer.statusUrl(URL_OF_STATUS, ORDER);

    expect(partOf(tokenIn(await rotated.statusUrl(URL_OF_STATUS, ORDER)), 0)).toMatchObject({ kid: "k2" });
    expect(await rotated.verifyStatusUrl(byOld)).toEqual({ externalRef });
    expect(await refusalOf(aSigner(OTHER_KEY).verifyStatusUrl(byOld))).toBe("bad_signature");
  });

  test("is no postback URL, and the other way round, under either parameter", async () => {
    const status = await signer.statusUrl(URL_OF_STATUS, ORDER);
    const postback = await signer.sign(URL_OF_STATUS, ORDER);

    const reasons = [
      signer.verify(status, POSTBACK),
      signer.verify(status.replace("stsig", "pbsig"), POSTBACK),
      signer.verifyStatusUrl(postback),
      signer.verifyStatusUrl(postback.replace("pbsig", "stsig")),
    ].map(refusalOf);

    expect(await Promise.all(reasons)).toEqual([
      ...["missing_signature", "other_purpose"],
      ...["missing_signature", "other_purpose"],
    ]);
  });

  test.each<[string, unknown, object | undefined, string[]]>([
    ["nothing", undefined, undefined, ["url", "externalRef"]],
    ["another host, written like a path", "//evil.example/status", ORDER, ["url"]],
    ["another host, with a backslash", "/\\evil.example", ORDER, ["url"]],
    ["a path without a slash", "status", ORDER, ["url"]],
    ["another scheme", "javascript:alert(1)", ORDER, ["url"]],
    ["a user and a password", "https://user:password@loja.example/status", ORDER, ["url"]], // browsers do not fetch it
    ["a user", "https://user@loja.example/status", ORDER, ["url"]],
    ["a control character", URL_OF_STATUS, { externalRef: "a\0" }, ["externalRef"]],
    ["a date in the past", URL_OF_STATUS, { externalRef, expiresAt: new Date(0) }, ["expiresAt"]],
  ])("is refused for %s", async (_what, url, order, fields) => {
    const error = await failureOf(signer.statusUrl(url as string, order as typeof ORDER));

    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.outcome).toBe("not_applicable");
    expect((error as InvalidRequestError).issues.map(({ field }) => field)).toEqual(fields);
  });
});

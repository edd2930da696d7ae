import "payments-sdk/elements";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

/** `<payment-pix status-url>`, in fake time, with the answers of the shop. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const fetches = vi.fn<typeof fetch>();
const heard = vi.fn();
const expired = vi.fn();

/** What the shop answers, from now on. With `ahead`, the clock of the buyer's device is so many milliseconds ahead of its own. */
const answer = (body: object | number, ahead?: number) =>
  fetches.mockImplementation(async () => {
    const headers = ahead === undefined ? {} : { date: new Date(Date.now() - ahead).toUTCString() };
    return typeof body === "number"
      ? new Response("", { status: body, headers })
      : Response.json(body, { headers });
  });

/** The time in so many milliseconds, by the clock of the device. */
const timeIn = (ms: number) => new Date(Date.now() + ms).toISOString();

/** Shows an element. Without a countdown, which would make hours of fake time slow. */
async function show(attributes: Record<string, string> = {}) {
  const pix = document.createElement("payment-pix");
  const all = { code: "0002", "status-url": "/status?stsig=a", ...attributes };
  for (const [name, value] of Object.entries(all)) pix.setAttribute(name, value);
  document.body.append(pix);
  await vi.advanceTimersByTimeAsync(0);
  return pix;
}

/** Lets time pass, and counts the requests in it. */
async function requestsIn(ms: number): Promise<number> {
  fetches.mockClear();
  await vi.advanceTimersByTimeAsync(ms);
  return fetches.mock.calls.length;
}

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
}

const text = (pix: Element) => pix.querySelector("[role=status]")?.textContent;
const countdown = (pix: Element) => pix.querySelector("[role=timer]")?.textContent;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", fetches);
  answer({ status: "pending" });
  document.documentElement.lang = "en";
  document.body.addEventListener("payment-status", heard);
  document.body.addEventListener("payment-pix-expired", expired);
});

afterEach(() => {
  document.body.replaceChildren();
  document.body.removeEventListener("payment-status", heard);
  document.body.removeEventListener("payment-pix-expired", expired);
  Reflect.deleteProperty(document, "hidden");
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

describe("the server is asked", () => {
  test("never without a status-url", async () => {
    await show({ "status-url": "" });

    expect(await requestsIn(MINUTE)).toBe(0);
  });

  test("every 2 seconds for two minutes, then every 5, and every 15 after ten minutes", async () => {
    await show();

    expect(await requestsIn(1_999)).toBe(0);
    expect(await requestsIn(1)).toBe(1);
    expect(await requestsIn(2 * MINUTE - 2_000)).toBe(59);
    expect(await requestsIn(MINUTE)).toBe(12);
    await requestsIn(7 * MINUTE);
    expect(await requestsIn(MINUTE)).toBe(4);
  });

  test("without credentials and caches", async () => {
    await show();
    await requestsIn(2_000);

    const [url, init] = fetches.mock.calls[0] ?? [];
    expect([url, init]).toMatchObject(["/status?stsig=a", { credentials: "omit", cache: "no-store" }]);
  });

  test.each([
    ["503", () => answer(503)],
    ["a page of a proxy", () => fetches.mockImplementation(async () => new Response("<html>"))],
    ["an unknown status", () => answer({ status: "ok" })],
    ["a network error", () => fetches.mockRejectedValue(new TypeError("Failed to fetch"))],
    ["no response", () => fetches.mockImplementation(() => new Promise(() => {}))],
  ])("less often after %s, and as before once it answers", async (_what, fail) => {
    const pix = await show();
    fail();
    const failed = await requestsIn(5 * MINUTE);
    expect(failed).toBeGreaterThan(4);
    expect(failed).toBeLessThan(12);

    answer({ status: "pending" });
    await requestsIn(MINUTE);
    expect(await requestsIn(10_000)).toBe(5);
    expect(text(pix)).toBe("");
    expect(heard).not.toHaveBeenCalled();
  });

  test("not while the page is hidden, and at once and every 2 seconds when it is shown again", async () => {
    await show();
    await requestsIn(20 * MINUTE);

    setHidden(true);
    expect(await requestsIn(10 * MINUTE)).toBe(0);

    setHidden(false);
    expect(await requestsIn(0)).toBe(1);
    expect(await requestsIn(10_000)).toBe(5);
  });

  test("at most once a second, however often the page is hidden and shown", async () => {
    await show();
    await requestsIn(2_000);
    fetches.mockClear();

    for (let count = 0; count < 50; count += 1) {
      setHidden(true);
      setHidden(false);
      await vi.advanceTimersByTimeAsync(100);
    }

    expect(fetches.mock.calls.length).toBe(5);
  });

  test("not in a page that is hidden from the beginning", async () => {
    setHidden(true);
    await show();

    expect(await requestsIn(MINUTE)).toBe(0);
  });
});

describe("a reported status", () => {
  test.each([
    ["approved", "Payment confirmed"],
    ["expired", "The code has expired"],
    ["cancelled", "This code is no longer valid"],
    ["refunded", "This code is no longer valid"],
  ])("of %s is shown, is dispatched once, and ends the requests", async (status, shown) => {
    const pix = await show();
    await requestsIn(4_000);
    expect(heard).not.toHaveBeenCalled();

    answer({ status });
    await requestsIn(2_000);

    expect(text(pix)).toContain(shown);
    expect(pix.status).toBe(status);
    expect(heard).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ detail: { status }, bubbles: true, composed: true, target: pix }),
    );
    setHidden(false);
    expect(await requestsIn(60 * MINUTE)).toBe(0);
  });

  test("that is not final is dispatched too, and the requests go on", async () => {
    answer({ status: "processing" });
    await show();

    expect(await requestsIn(10_000)).toBe(5);
    expect(heard).toHaveBeenCalledTimes(1);
  });

  test("is asked for again at another URL, also if the first response fails", async () => {
    const pix = await show();
    answer({ status: "approved" });
    await requestsIn(2_000);
    answer(503);
    pix.statusUrl = "/status?stsig=b";
    expect(await requestsIn(2_000)).toBe(1);
    window.dispatchEvent(new Event("focus"));

    answer({ status: "pending" });
    await requestsIn(10_000);

    expect(pix.status).toBe("pending");
  });

  test("is forgotten when the page shows another code", async () => {
    const pix = await show();
    answer({ status: "expired" });
    await requestsIn(2_000);
    answer({ status: "pending" });

    pix.code = "0003"; // the URL may be the same
    await requestsIn(0);

    expect(pix.querySelector("input")?.value).toBe("0003");
    expect(await requestsIn(10_000)).toBe(5);
  });
});

describe("the expiry is", () => {
  test("that of the server if the page has none: countdown, event and text", async () => {
    answer({ status: "pending", expiresAt: timeIn(MINUTE) });
    const pix = await show();
    await requestsIn(2_000);
    expect(countdown(pix)).toBe("Expires in 00:00:58");
    expect(expired).not.toHaveBeenCalled();

    await requestsIn(2 * MINUTE);

    expect(text(pix)).toContain("expired");
    expect(expired).toHaveBeenCalledTimes(1);
    expect(pix.expiresAt).toBe("");
  });

  test("forgotten with the code that it was reported for", async () => {
    answer({ status: "pending", expiresAt: timeIn(-MINUTE) });
    const pix = await show();
    await requestsIn(2_000);
    expect(text(pix)).toContain("expired");

    answer({ status: "pending" });
    pix.code = "0003";
    await requestsIn(10_000);

    expect(text(pix)).toBe("");
  });

  test.each([undefined, "", 7, {}])("unknown if the server reports %j", async (expiresAt) => {
    answer({ status: "pending", expiresAt });
    const pix = await show();
    await requestsIn(HOUR);

    expect([countdown(pix), text(pix)]).toEqual(["", ""]);
  });
});

describe.each([
  ["2 hours ahead", 2 * HOUR],
  ["2 hours behind", -2 * HOUR],
])("if the clock of the device is %s", (_what, ahead) => {
  /** The expiry of a code, by the clock of the server. */
  const inTwoMinutes = () => timeIn(2 * MINUTE - ahead);

  test("a paid pix is shown as paid, and was never shown as expired", async () => {
    answer({ status: "approved" }, ahead);
    setHidden(true);
    const pix = await show({ "expires-at": inTwoMinutes() });
    expect(text(pix)).toBe("");

    setHidden(false);
    await requestsIn(2_000);

    expect(text(pix)).toContain("confirmed");
    expect(expired).not.toHaveBeenCalled();
  });

  test.each(["page", "server"])("the countdown to the expiry that the %s names is right", async (source) => {
    const isOfPage = source === "page";
    answer({ status: "pending", ...(!isOfPage && { expiresAt: inTwoMinutes() }) }, ahead);
    const pix = await show(isOfPage ? { "expires-at": inTwoMinutes() } : {});
    await requestsIn(2_000);
    expect(countdown(pix)).toMatch(/^Expires in 00:01:5\d$/);

    await requestsIn(2 * MINUTE - 5_000);
    expect(expired).not.toHaveBeenCalled();
    await requestsIn(5_000);
    expect(text(pix)).toContain("expired");
    expect(expired).toHaveBeenCalledTimes(1);
    expect(await requestsIn(14 * MINUTE)).toBeGreaterThan(50);
    await requestsIn(2 * MINUTE);
    expect(await requestsIn(HOUR)).toBe(0);
  });
});

describe("the clock of the device counts", () => {
  const anHourAgo = () => ({ "expires-at": timeIn(-HOUR) });

  test("if the response has no date: one request, and the code has expired", async () => {
    const pix = await show(anHourAgo());

    expect(fetches).toHaveBeenCalledTimes(1);
    expect(text(pix)).toContain("expired");
    expect(await requestsIn(HOUR)).toBe(0);
    expect(expired).toHaveBeenCalledTimes(1);
  });

  test("until there is a response, which is asked for again", async () => {
    fetches.mockRejectedValue(new TypeError("Failed to fetch"));
    const pix = await show(anHourAgo());
    await requestsIn(10 * MINUTE);
    expect(text(pix)).toContain("expired");

    answer({ status: "approved" });
    await requestsIn(MINUTE);

    expect(text(pix)).toContain("confirmed");
  });

  test("if the clock of the server differs by seconds: the countdown does not jump", async () => {
    answer({ status: "pending" }, 3_000);
    const pix = await show({ "expires-at": timeIn(HOUR) });

    await requestsIn(10_000);

    expect(countdown(pix)).toBe("Expires in 00:59:50");
  });
});

describe("a code that expired promises that a confirmation appears", () => {
  const PROMISE = "appears here";

  test("from the end of the countdown until the last request", async () => {
    const pix = await show({ "expires-at": timeIn(MINUTE) });

    await requestsIn(2 * MINUTE);
    expect(text(pix)).toContain(PROMISE);
    await requestsIn(15 * MINUTE);
    expect(text(pix)).toMatch(/expired.*contact the shop/);
  });

  test.each(["expired", "refused", "cancelled", "refunded"])(
    "not if the server reports %s, before or after",
    async (status) => {
      const pix = await show({ "expires-at": timeIn(MINUTE) });
      const other = await show({ "expires-at": timeIn(HOUR) });
      await requestsIn(2 * MINUTE);
      answer({ status });
      await requestsIn(10_000);

      for (const shown of [pix, other]) expect(text(shown)).toContain("contact the shop");
      for (const shown of [pix, other]) expect(text(shown)).not.toContain(PROMISE);
    },
  );
});

describe("the requests end", () => {
  test("15 minutes after the expiry", async () => {
    const pix = await show({ "expires-at": timeIn(MINUTE) });

    await requestsIn(15.5 * MINUTE);
    expect(text(pix)).toContain("expired");
    expect(await requestsIn(0.5 * MINUTE)).toBeGreaterThan(0);
    setHidden(false);
    expect(await requestsIn(60 * MINUTE)).toBe(0);
  });

  test("not before: a payment in the last seconds is shown after the expiry", async () => {
    const pix = await show({ "expires-at": timeIn(5_000) });
    await requestsIn(10 * MINUTE);
    expect(text(pix)).toContain("expired");

    answer({ status: "approved" });
    await requestsIn(15_000);

    expect(text(pix)).toContain("confirmed");
  });

  test("15 minutes after the expiry that the server names, if the page names none", async () => {
    answer({ status: "pending", expiresAt: timeIn(MINUTE) });
    await show();

    expect(await requestsIn(15 * MINUTE)).toBeGreaterThan(100);
    await requestsIn(2 * MINUTE);
    expect(await requestsIn(60 * MINUTE)).toBe(0);
  });

  test("after three 404s in a row, until there is another URL", async () => {
    const pix = await show();
    answer(404);
    expect(await requestsIn(10 * MINUTE)).toBe(3);
    setHidden(false);
    expect(await requestsIn(MINUTE)).toBe(0);

    pix.statusUrl = "/status?stsig=b";
    answer({ status: "approved" });

    expect(await requestsIn(2_000)).toBe(1);
    expect(text(pix)).toContain("confirmed");
  });

  test("not after two 404s, each time", async () => {
    const pix = await show();
    for (let count = 0; count < 5; count += 1) {
      answer(404);
      await requestsIn(7_000); // after 2 and 6 seconds
      answer({ status: "pending" });
      await requestsIn(8_000);
    }

    answer({ status: "approved" });
    await requestsIn(2_000);

    expect(text(pix)).toContain("confirmed");
  });

  test.each([
    ["knows the result", (pix: Element) => pix.setAttribute("status", "approved")],
    ["removes the URL", (pix: Element) => pix.removeAttribute("status-url")],
  ])("when the page %s", async (_what, change) => {
    const pix = await show();

    change(pix);

    expect(await requestsIn(MINUTE)).toBe(0);
  });

  test("when the element is removed, whose late response counts for nothing, and go on when it is back", async () => {
    let respond = (_response: Response) => {};
    fetches.mockImplementation(() => new Promise((resolve) => { respond = resolve; })); // biome-ignore format: short
    const pix = await show();
    await requestsIn(2_000);
    pix.remove();
    respond(Response.json({ status: "approved" }));
    expect(await requestsIn(MINUTE)).toBe(0);
    expect(pix.status).toBe("pending");
    expect(vi.getTimerCount()).toBe(0);

    answer({ status: "approved" });
    document.body.append(pix);
    expect(await requestsIn(2_000)).toBe(1);
    pix.remove();
    document.body.append(pix);
    expect(await requestsIn(MINUTE)).toBe(0); // it is paid
  });
});

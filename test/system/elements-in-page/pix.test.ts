import jsqr from "jsqr";
import { PaymentPix } from "payments-sdk/elements";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { cdp, page, userEvent } from "vitest/browser";
import styles from "../../../src/elements/elements.css?bundled";

const CODE =
  "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913LOJA IPE LTDA6009SAO PAULO62070503***6304ABCD";
const NOW = Date.parse("2026-11-23T12:00:00Z");
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Shows an element. With `left`, its code expires after so many milliseconds. */
async function show({ left, ...attributes }: Record<string, string> | { left?: number } = {}) {
  const pix = document.createElement("payment-pix");
  if (typeof left === "number") pix.expiresAt = new Date(Date.now() + left);
  for (const [name, value] of Object.entries({ code: CODE, ...attributes })) pix.setAttribute(name, value);
  document.body.append(pix);
  await rendered();
  return pix;
}

/** What is set together is shown together, after the script that sets it. */
const rendered = () => Promise.resolve();

function part<E extends Element = HTMLElement>(pix: Element, selector: string): E {
  const found = pix.querySelector<E>(selector);
  if (found === null) throw new Error(`no ${selector} in ${pix.outerHTML}`);
  return found;
}

const status = (pix: Element) => part(pix, "[role=status]").textContent;
const countdown = (pix: Element) => part(pix, "[role=timer]").textContent;
const hasCode = (pix: Element) => pix.querySelector("input, img, button, [role=timer]") !== null;

/** Styles the page, until the test ends. */
function addStyle(more = ""): void {
  const style = document.createElement("style");
  style.textContent = `body { font: 1rem sans-serif } ${styles} ${more}`;
  document.body.append(style);
}

/** Where the text and the box of the picture are, and how large. */
const boxesIn = (pix: Element) =>
  [pix, ...pix.querySelectorAll(".payment-pix-text, .payment-pix-text *, [role=img]")].map((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left, top, width, height];
  });

function listen() {
  const listener = vi.fn();
  document.addEventListener("payment-pix-expired", listener);
  return listener;
}

beforeEach(() => {
  document.documentElement.lang = "pt-BR";
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

describe("the picture", () => {
  test.each([
    ["a usual code", CODE],
    ["a code of 512 characters, the longest", CODE.padEnd(512, "x")],
    ["letters beyond ASCII", "São Paulo"],
  ])("of %s scans to it, with a white border, on a dark page too", async (_, code) => {
    // A screen in a test has one pixel where a phone has three.
    addStyle(`:root { color-scheme: dark } .payment-pix-picture > svg { width: 380px; max-width: none }`);
    const pix = await show({ code });
    await expect.poll(() => pix.querySelector("svg path")).not.toBeNull();

    const { data, width, height } = await pixelsOf(part(pix, "svg"));

    const scan = jsqr as unknown as typeof jsqr.default; // Vite's default export is the function
    const found = scan(data, width, height);
    expect(found?.data).toBe(code);
    const modules = part<SVGSVGElement>(pix, "svg").viewBox.baseVal.width;
    // ISO/IEC 18004: a border of four modules
    expect(((found?.location.topLeftCorner.x ?? 0) * modules) / width).toBeCloseTo(4, 0);
  });

  test("is the service's, with an alternative text", async () => {
    const qrcode =
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg==";

    const pix = await show({ qrcode });

    expect(part<HTMLImageElement>(pix, "img").src).toBe(qrcode);
    await expect.element(page.getByRole("img", { name: "QR code do Pix" })).toBeVisible();
  });

  test.each(["data:image/png;base64,broken", "data:text/html,x", "javascript:alert(1)", "/qr.png"])(
    "is drawn from the code if %s cannot be shown",
    async (qrcode) => {
      const pix = await show({ qrcode });

      await expect.poll(() => pix.querySelector("[role=img] path")).not.toBeNull();
      expect(pix.querySelector("img")).toBeNull();
    },
  );

  test("of the service may stay the same when the code to copy changes", async () => {
    const pix = await show({ qrcode: "/qr.png" });

    pix.code = "another code";
    await rendered();

    expect(part<HTMLInputElement>(pix, "input").value).toBe("another code");
  });

  test("is missing for a text that no QR code can hold, which can still be copied", async () => {
    const pix = await show({ code: "x".repeat(3_000) });

    await expect.poll(() => pix.querySelector("[role=img]")).toBeNull();
    expect(part<HTMLInputElement>(pix, "input").value).toHaveLength(3_000);
  });
});

describe("the copy button", () => {
  test("writes the code to the clipboard, and says so for two seconds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const write = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    const pix = await show();
    const button = part(pix, "button");

    button.click();
    await vi.waitFor(() => expect(status(pix)).toContain("Código copiado"));

    expect(write).toHaveBeenCalledExactlyOnceWith(CODE);
    expect(button.textContent).toBe("Código copiado");
    vi.advanceTimersByTime(2 * SECOND);
    expect(button.textContent).toBe("Copiar código");
  });

  test.each([
    ["copies by the older way, and keeps the focus", true, /^Código copiado/, "button"],
    ["selects the code and names the keys if that fails too", false, /Ctrl\+C ou ⌘C/, "input"],
  ])("without permission %s", async (_, works, text, focused) => {
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("denied"));
    const selections: string[] = [];
    vi.spyOn(document, "execCommand").mockImplementation(() => {
      selections.push(String(document.getSelection()));
      return works;
    });
    const pix = await show();

    await userEvent.click(part(pix, "button"));
    await vi.waitFor(() => expect(status(pix)).toMatch(text));

    expect(part(pix, "button").textContent).toBe(status(pix));
    expect(selections).toEqual([CODE]);
    expect(document.activeElement).toBe(part(pix, focused));
  });

  test.each(["pt", "en"])("moves nothing, whichever text it shows, on a phone in %s", async (lang) => {
    await page.viewport(320, 700);
    addStyle();
    document.documentElement.lang = lang;
    const pix = await show({ left: HOUR });
    const before = boxesIn(pix);

    for (const works of [true, false]) {
      vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("denied"));
      vi.spyOn(document, "execCommand").mockReturnValue(works);
      const label = part(pix, "button").textContent;
      part(pix, "button").click();
      await expect.poll(() => part(pix, "button").textContent).not.toBe(label);
      expect(boxesIn(pix)).toEqual(before);
    }
  });
});

test("Enter in the input submits no form of the page", async () => {
  const form = document.body.appendChild(document.createElement("form"));
  const submit = vi.fn((event: Event) => event.preventDefault());
  form.addEventListener("submit", submit);
  form.append(await show());
  part(form, "input").focus();

  await userEvent.keyboard("{Enter}");

  expect(submit).not.toHaveBeenCalled();
});

describe("the amount", () => {
  test.each([
    ["1990", "pt-BR", "R$\u00a019,90"],
    ["5", "pt-BR", "R$\u00a00,05"],
    ["123456789", "en-US", "R$1,234,567.89"],
    ["999999999999999", "en-US", "R$9,999,999,999,999.99"], // no float between
  ])("of %s cents in %s is %s", async (amount, lang, text) => {
    document.documentElement.lang = lang;

    expect(part(await show({ amount }), "strong").textContent).toBe(text);
  });

  test.each(["", "0", "-1", "19.90", "19.00", "1e3", "R$ 19,90", " 1990", "NaN", String(2 ** 53)])(
    "of %j is not shown",
    async (amount) => {
      expect((await show({ amount })).querySelector("strong")).toBeNull();
    },
  );

  test("stands above the payee, who is text and not HTML, and both can change", async () => {
    const pix = await show({ amount: "1990", payee: "<b>Loja</b> & Cia." });
    expect(part(pix, "p").textContent).toBe("R$\u00a019,90Para <b>Loja</b> & Cia.");

    Object.assign(pix, { amount: 500, payee: null });
    await rendered();

    expect(part(pix, "p").textContent).toBe("R$\u00a05,00");
  });
});

describe("the layout", () => {
  const left = (element: Element) => element.getBoundingClientRect().left;
  const full = { left: HOUR, amount: "1990", payee: "Loja Ipê" };

  test.each([
    [1280, "before", "beside"],
    [360, "above", "below"],
  ])("%i pixels wide: the text stands %s the picture, and begins on one line", async (width) => {
    await page.viewport(width, 800);
    addStyle();
    const pix = await show(full);
    const picture = part(pix, "[role=img]").getBoundingClientRect();
    const text = part(pix, ".payment-pix-text");

    const { right, bottom } = text.getBoundingClientRect();
    expect(width > 500 ? right < picture.left : bottom < picture.top).toBe(true);
    const parts = [...text.querySelectorAll("p, label, input, button, strong, span")].map(left);
    expect(new Set(parts)).toEqual(new Set([left(pix)]));
    pix.status = "paid";
    await rendered();
    expect(left(part(pix, "svg"))).toBe(left(pix));
  });

  test.each(["paid", "expired", "refused"])(
    "of the result %s is less than half as high as the code",
    async (value) => {
      await page.viewport(360, 800);
      addStyle();
      const pix = await show(full);
      const { height } = pix.getBoundingClientRect();

      pix.status = value;
      await rendered();

      expect(pix.getBoundingClientRect().height).toBeLessThan(height / 2);
    },
  );

  test.each([360, 1280])("keeps the room of the code at %i pixels before the script runs", async (width) => {
    await page.viewport(width, 800);
    addStyle();
    const { height } = (await show(full)).getBoundingClientRect();
    /** The height in a page that does not define the element. */
    const undefinedHeight = async (attributes: string) => {
      const frame = document.createElement("iframe");
      frame.width = String(width);
      frame.srcdoc = `<style>${styles}</style><body style="margin: 0"><payment-pix ${attributes}></payment-pix>`;
      document.body.append(frame);
      await new Promise((resolve) => frame.addEventListener("load", resolve));
      return frame.contentDocument?.querySelector("payment-pix")?.clientHeight;
    };

    for (const attributes of ["", 'status="pending"', 'status="processing"', 'status=""']) {
      expect(await undefinedHeight(attributes), attributes).toBeCloseTo(height, 0);
    }
    expect(await undefinedHeight('status="approved"')).toBe(0);
    expect(await undefinedHeight("hidden")).toBe(0);
  });

  test("is the same for the placeholder of a server", async () => {
    await page.viewport(360, 800);
    addStyle();
    const pix = await show(full);
    await expect.poll(() => pix.querySelector("[role=img] path")).not.toBeNull();
    const placeholder = document.createElement("div");
    placeholder.className = "payment-pix-placeholder";
    placeholder.innerHTML = pix.innerHTML;
    part(placeholder, "[role=img]").replaceChildren(); // its picture comes later
    const before = [boxesIn(pix), getComputedStyle(part(pix, "input")).font];

    pix.replaceWith(placeholder);

    expect([boxesIn(placeholder), getComputedStyle(part(placeholder, "input")).font]).toEqual(before);
  });
});

describe("the countdown", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW });
  });

  test.each([
    [DAY - 2 * SECOND, "pt-BR", "Expira em 23:59:58"],
    [1, "pt-BR", "Expira em 00:00:01"],
    [DAY, "pt-BR", "Expira em 1 dia"],
    [2 * DAY + 3 * HOUR + MINUTE, "pt-BR", "Expira em 2 dias e 3 h"],
    [60 * DAY, "pt-BR", "Expira em 60 dias"], // longer than a timer can run
    [2 * DAY + 3 * HOUR, "en-US", "Expires in 2 days and 3 h"],
  ])("%i milliseconds before the end in %s: %s", async (left, lang, text) => {
    document.documentElement.lang = lang;

    expect(countdown(await show({ left }))).toBe(text);
  });

  test("follows the clock, and reads a time without a zone as UTC", async () => {
    await cdp().send("Emulation.setTimezoneOverride", { timezoneId: "America/Sao_Paulo" });
    const pix = await show({ "expires-at": "2026-11-23T13:00:00" });
    await cdp().send("Emulation.setTimezoneOverride", { timezoneId: "" });
    expect(countdown(pix)).toBe("Expira em 01:00:00");

    vi.advanceTimersByTime(MINUTE);

    expect(countdown(pix)).toBe("Expira em 00:59:00");
  });

  test.each(["", "amanhã"])("is empty for the date %j, and the code never expires", async (date) => {
    const pix = await show({ "expires-at": date });

    vi.advanceTimersByTime(60 * DAY);

    expect(countdown(pix)).toBe("");
    expect(hasCode(pix)).toBe(true);
  });

  test("ends with the event, once for each date, and leaves the attribute `status` alone", async () => {
    const expired = listen();
    const pix = await show({ left: 2 * SECOND });

    vi.advanceTimersByTime(2 * SECOND - 1);
    expect(expired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(DAY);
    window.dispatchEvent(new Event("focus"));

    expect(expired).toHaveBeenCalledTimes(1);
    expect(status(pix)).toContain("O código expirou");
    expect(hasCode(pix)).toBe(false);
    expect(pix.hasAttribute("status")).toBe(false);

    pix.expiresAt = new Date(Date.now() + SECOND);
    await rendered();
    expect(hasCode(pix)).toBe(true);
    vi.advanceTimersByTime(SECOND);
    expect(expired).toHaveBeenCalledTimes(2);
  });

  test.each(["visibilitychange", "pageshow", "focus"])(
    "is right again at %s after the tab slept",
    async (type) => {
      const pix = await show({ left: 2 * HOUR });
      const wakeAt = (time: number) => {
        vi.setSystemTime(time);
        document.dispatchEvent(new Event(type, { bubbles: true })); // reaches the window too
      };

      wakeAt(NOW + HOUR);
      expect(countdown(pix)).toBe("Expira em 01:00:00");

      wakeAt(NOW + 3 * HOUR);
      expect(hasCode(pix)).toBe(false);
    },
  );

  test("stops when the element is removed, and goes on when it is back", async () => {
    const expired = listen();
    const pix = await show({ left: MINUTE });

    pix.remove();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(HOUR);
    window.dispatchEvent(new Event("focus"));
    expect(expired).not.toHaveBeenCalled();

    document.body.append(pix);
    await rendered();
    expect(expired).toHaveBeenCalledTimes(1);
  });

  test("is heard by a screen reader one minute before the end and at the end, not each second", async () => {
    const pix = await show({ left: 3 * MINUTE });
    const heard = [""];
    for (let second = 0; second < 4 * 60; second += 1) {
      vi.advanceTimersByTime(SECOND);
      if (status(pix) !== heard.at(-1)) heard.push(status(pix));
    }

    expect(heard.slice(1)).toEqual([
      "O código expira em menos de um minuto.",
      expect.stringMatching(/^O código expirou .*não pague de novo: a confirmação/),
    ]);
  });
});

describe("the status", () => {
  test.each([
    ["", true, /^$/],
    ["processing", true, /^$/],
    ["paid", false, /^Pagamento confirmado/],
    ["approved", false, /^Pagamento confirmado/],
    ["expired", false, /^O código expirou .*não pague de novo: fale com a loja/],
    ["refused", false, /^Este código não é mais válido .*não pague de novo: fale com a loja/],
  ])("%j: the code is shown: %s, the status line says %s", async (value, isCodeShown, text) => {
    const pix = await show({ status: value });

    expect(hasCode(pix)).toBe(isCodeShown);
    expect(status(pix)).toMatch(text);
  });

  test("of a payment that arrived is read from the same line, and takes no focus", async () => {
    const pix = await show();
    const line = part(pix, "[role=status]");
    const elsewhere = document.body.appendChild(document.createElement("input"));
    elsewhere.focus();

    pix.status = "approved";
    await rendered();

    expect(part(pix, "[role=status]")).toBe(line);
    expect(line.textContent).toContain("Pagamento confirmado");
    expect(document.activeElement).toBe(elsewhere);
  });

  test("`paid` wins over a date in the past that is set before it", async () => {
    const expired = listen();
    const pix = await show();

    pix.expiresAt = "2020-01-01T00:00:00Z";
    pix.status = "paid";
    await rendered();

    expect(status(pix)).toContain("Pagamento confirmado");
    expect(expired).not.toHaveBeenCalled();
  });
});

describe("attributes and properties", () => {
  test("are the same, and null or an invalid date removes one", async () => {
    const pix = await show({ status: "paid" });
    pix.expiresAt = new Date(NOW);
    expect(pix.getAttribute("expires-at")).toBe("2026-11-23T12:00:00.000Z");

    Object.assign(pix, { expiresAt: new Date(Number.NaN), status: null, code: undefined });

    expect(pix.getAttributeNames()).toEqual([]);
    expect(pix).toMatchObject({ code: "", qrcode: "", expiresAt: "", status: "pending" });
  });

  test("that were set before the browser knew the element are kept", async () => {
    const early = document.body.appendChild(document.createElement("payment-pix-early"));
    Object.assign(early, { code: CODE, status: "processing" });

    customElements.define("payment-pix-early", class extends PaymentPix {});
    await rendered();

    expect(early.getAttribute("status")).toBe("processing");
    expect(part<HTMLInputElement>(early, "input").value).toBe(CODE);
  });

  test("of a cloned element work, in its own language", async () => {
    const copy = document.body.appendChild((await show()).cloneNode(true) as PaymentPix);
    copy.lang = "en";
    await rendered();

    await expect.element(page.getByLabelText("Pix code (copy and paste)")).toHaveValue(CODE);
    await expect.element(page.getByLabelText("Pix copia e cola")).toHaveValue(CODE);
    expect(copy.querySelectorAll("[role=status]")).toHaveLength(1);
  });
});

async function pixelsOf(element: Element): Promise<ImageData> {
  const base64 = await page.elementLocator(element).screenshot({ save: false });
  const image = new Image();
  image.src = `data:image/png;base64,${base64}`;
  await image.decode();
  const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
  if (context === null) throw new Error("no canvas");
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, image.width, image.height);
}

import { vi } from "vitest";
import { freePort, run } from "../../support/running.ts";
import type { Engine } from "./engine.ts";
import { miniBrowser } from "./installed-engines.ts";

/** Without a graphics card, a session bus, and a user namespace: most containers have none of them. */
const SETTINGS = [
  ...["WEBKIT_DISABLE_COMPOSITING_MODE=1", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS=1"],
  ...["LIBGL_ALWAYS_SOFTWARE=1", "NO_AT_BRIDGE=1"],
];

/** WebDriver's code points of keys ("Keyboard actions"). */
const KEYS: Readonly<Record<string, string>> = {
  Backspace: "\ue003",
  Tab: "\ue004",
  Enter: "\ue007",
  Shift: "\ue008",
  Control: "\ue009",
  Space: " ",
  End: "\ue010",
  Home: "\ue011",
  ArrowLeft: "\ue012",
  ArrowRight: "\ue014",
  Delete: "\ue017",
};

/** WebKitGTK in its MiniBrowser, on a display of its own, by plain WebDriver. */
export async function startWebKit(): Promise<Engine> {
  const display = run("Xvfb", ["-displayfd", "1", "-screen", "0", "1400x1000x24"]);
  const [number] = await display.printed(/\d+(?=\n)/);
  const port = await freePort();
  const driver = run("env", [`DISPLAY=:${number}`, ...SETTINGS, "WebKitWebDriver", `--port=${port}`]);
  const service = `http://127.0.0.1:${port}`;
  await vi.waitUntil(() => fetch(`${service}/status`).catch(() => undefined), { timeout: 10_000 });

  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(service + path, { method, body: body ? JSON.stringify(body) : null });
    const { value } = (await response.json()) as { value: Record<string, string> };
    if (!response.ok) throw new Error(`${method} ${path}: ${value["error"]}: ${value["message"]}`);
    return value;
  };
  const options = {
    binary: miniBrowser,
    args: ["--automation", "--full-screen"], // its toolbar is wider than a phone
  };
  const alwaysMatch = { browserName: "MiniBrowser", "webkitgtk:browserOptions": options };
  const stop = () => [driver, display].forEach((process) => void process.kill());
  const { sessionId } = (await send("POST", "/session", { capabilities: { alwaysMatch } }).catch((error) => {
    stop();
    throw error;
  })) as { sessionId: string };
  const session = `/session/${sessionId}`;
  const post = (path: string, body: object) => send("POST", `${session}/${path}`, body);
  const act = (actions: object[]) => post("actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  const down = (key: string) => ({ type: "keyDown", value: KEYS[key] ?? key });
  const up = (key: string) => ({ type: "keyUp", value: KEYS[key] ?? key });
  const evaluate = async (expression: string) => {
    const script = `const done = arguments[0];
      Promise.resolve(${expression}).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value, error } = (await post("execute/async", { script, args: [] })) as Record<string, unknown>;
    if (error !== undefined) throw new Error(String(error));
    return value;
  };

  return {
    open: async (url) => void (await post("url", { url })),
    evaluate,
    press: async (keys) => {
      const pressed = keys.split("+");
      await act([...pressed.map(down), ...pressed.reverse().map(up)]);
    },
    type: async (text) => void (await act([...text].flatMap((key) => [down(key), up(key)]))),
    click: async (selector) => {
      const found = await post("element", { using: "css selector", value: selector });
      await post(`element/${Object.values(found as object)[0]}/click`, {});
    },
    back: async () => void (await post("back", {})),
    resize: async (width) => {
      await post("window/rect", { width, height: 900 });
      await vi.waitUntil(async () => (await evaluate("innerWidth")) === width);
    },
    close: async () => {
      await send("DELETE", session).catch(() => undefined);
      stop();
    },
  };
}

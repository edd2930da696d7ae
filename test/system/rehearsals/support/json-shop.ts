import type { Shop, ShopOrder, ShopView } from "payments-sdk/testing";

/** A sample with the routes /pay and /pix. It sells one thing to one customer. */
export interface JsonSample {
  readonly url: string;
  /** What it printed, before and after a restart. */
  printed(): string;
  restart?(): Promise<void>;
  stop(): Promise<void>;
}

/** What the page of a sample shows, by its texts. */
const VIEWS: readonly (readonly [RegExp, ShopView])[] = [
  [/^Paid\.|already paid/, "paid"],
  [/declined/, "declined"],
  [/not been charged/, "error"],
  [/checking|expired|returned/, "waiting"],
];

/** What a customer sees after a click. `undefined`: there is no response. */
async function viewOf(response: Response | undefined): Promise<ShopView> {
  // "We do not know yet whether you have paid", or "There is no pix code yet".
  if (!response?.ok) return "waiting";
  const { text, pix } = (await response.json()) as { text: string; pix?: object };
  const view = pix ? "code" : VIEWS.find(([words]) => words.test(text))?.[1];
  if (view === undefined) throw new Error(`The page shows: ${text}`);
  return view;
}

/** A shop that opens a sample for each order. */
export function createJsonShop(open: (amount: number) => Promise<JsonSample>): Shop {
  const samples = new Map<string, Promise<JsonSample>>();

  return {
    async pay({ id, amount, method, cardToken }: ShopOrder) {
      const opening = samples.get(id) ?? open(amount);
      samples.set(id, opening);
      const { url } = await opening;
      const response = fetch(url + (method === "pix" ? "/pix" : "/pay"), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token: await cardToken?.() }),
      });
      return viewOf(await response.catch(() => undefined));
    },
    /** The buttons, without a text. The server decides what they do. */
    view: async () => "waiting",
    shipped: async (id) => ((await samples.get(id))?.printed().match(/ship it$/gm) ?? []).length,
    async restart() {
      for (const sample of samples.values()) await (await sample).restart?.();
    },
    async stop() {
      for (const sample of samples.values()) await (await sample).stop();
    },
  };
}

import type { ShopView } from "payments-sdk/testing";

/** What the page of a sample shows, by its texts. */
const VIEWS: readonly (readonly [RegExp, ShopView])[] = [
  [/^Paid\.|already paid/, "paid"],
  [/declined/, "declined"],
  [/not been charged/, "error"],
  [/checking|expired|returned/, "waiting"],
];

/** What a customer sees after the response to a click. */
export async function viewOfSample(response: Response | undefined): Promise<ShopView> {
  // "We do not know yet whether you have paid", or "There is no pix code yet".
  if (!response?.ok) return "waiting";
  const { text, pix } = (await response.json()) as { text: string; pix?: object };
  const view = pix ? "code" : VIEWS.find(([words]) => words.test(text))?.[1];
  if (view === undefined) throw new Error(`The page shows: ${text}`);
  return view;
}

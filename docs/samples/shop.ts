// Requests to the server in checkout-server.mjs, for the pages in docs/react.md, docs/vue.md and docs/svelte.md.

import type { PixTransaction } from "payments-sdk";

/** The code to show. */
export interface Pix extends Readonly<PixTransaction["pix"]> {
  /** For `status-url`. */
  readonly statusUrl: string;
}

/** The code to show, or a text if there is none. */
export interface PixResult {
  readonly text: string;
  readonly pix?: Pix;
}

/** What to show after a card payment. `again`: the customer was not charged, and may try again. */
export interface CardResult {
  readonly text: string;
  readonly again?: true;
}

async function post(path: string, body = {}) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} returned ${response.status}`);
  return response.json();
}

/** Never rejects: without a response, the customer may have been charged and must not pay again. */
export function pay(token: string | undefined): Promise<CardResult> {
  const unknown = { text: "We do not know yet whether you have paid. Please do not pay again." };
  return post("/pay", { token }).catch(() => unknown);
}

/** When the page offers a new code. The server decides whether there is one. */
export const ENDED: readonly string[] = ["expired", "cancelled", "refused"];

/** Never rejects. Call it again for a new code when the status is one of {@link ENDED}. */
export function createPix(): Promise<PixResult> {
  return post("/pix").catch(() => ({ text: "There is no pix code yet. Please try again." }));
}

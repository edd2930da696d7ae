"use server";

import { refresh } from "next/cache";
import { headers } from "next/headers";
import { addressOf, payByCard, payByPix } from "../../../lib/pay";

// Anyone can call an action with any arguments, so it gets an id and a token, and never a price.

export async function payWithPix(id: string): Promise<void> {
  await payByPix(String(id), addressOf(await headers()));
  refresh(); // the response has the new page
}

export async function payWithCard(id: string, token: string): Promise<void> {
  await payByCard(String(id), String(token), addressOf(await headers()));
  refresh();
}

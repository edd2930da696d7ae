import Stripe from "stripe";
import type { ReadSigned } from "../postbacks/contender.ts";

/** Verifies the signature of the whole body, and parses it. */
export function reading(text: string, secret: string): ReadSigned {
  const stripe = new Stripe("sk_test_bench");
  const header = stripe.webhooks.generateTestHeaderString({ payload: text, secret });
  return () => stripe.webhooks.constructEvent(text, header, secret).id;
}

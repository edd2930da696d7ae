import { Webhook } from "standardwebhooks";
import type { ReadSigned } from "../postbacks/contender.ts";

/** Verifies the signature of the whole body, and parses it. */
export function reading(text: string, secret: string): ReadSigned {
  const webhook = new Webhook(Buffer.from(secret).toString("base64"));
  const now = new Date();
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": webhook.sign("msg_1", now, text),
  };
  return () => (webhook.verify(text, headers) as { readonly id: number }).id;
}

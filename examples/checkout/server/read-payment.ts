import * as z from "zod/mini";
import type { CardPayment, PixPayment } from "../shared/order-view.ts";

const text = z.string().check(z.maxLength(200));
const buyer = z.object({ name: text, email: text, phone: text, document: text });

const revision = z.int();

const PixBody = z.object({ buyer, revision });
const CardBody = z.object({
  buyer,
  revision,
  installments: z.int().check(z.minimum(1), z.maximum(3)),
  token: z.string().check(z.maxLength(4_000)),
});

/** What a page sent; `undefined` where it is something else. Card data has no field here, so it cannot stay. */
export const readCardPayment = (body: unknown): CardPayment | undefined => CardBody.safeParse(body).data;

export const readPixPayment = (body: unknown): PixPayment | undefined => PixBody.safeParse(body).data;

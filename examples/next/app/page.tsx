import { redirect } from "next/navigation";
import { formatBRL } from "payments-sdk";
import { getShop } from "../lib/payments";

const PRICE = 1990; // cents

/** An action, because a GET may be repeated, prefetched or run by the build: it must not create anything. */
async function order() {
  "use server";
  redirect(`/orders/${getShop().orders.create(PRICE)}`);
}

export default function Home() {
  return (
    <form action={order}>
      <h1>T-shirt</h1>
      <p>{formatBRL(PRICE)}</p>
      <button type="submit">Order</button>
    </form>
  );
}

import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { formatBRL } from "payments-sdk";
import { addressOf } from "../../../lib/pay";
import { show } from "../../../lib/view";
import { Checkout } from "./checkout";

export const maxDuration = 60; // seconds, for its actions: longer than the client's timeout

export default async function OrderPage({ params }: PageProps<"/orders/[id]">) {
  const { id } = await params;
  const view = await show(id, addressOf(await headers()));
  if (!view) notFound();
  const { PAYMENTS_BASE_URL = "", PAYMENTS_PUBLIC_KEY = "" } = process.env;
  return (
    <>
      <h1>T-shirt: {formatBRL(view.amount)}</h1>
      <Checkout id={id} view={view} baseUrl={PAYMENTS_BASE_URL} publicKey={PAYMENTS_PUBLIC_KEY} />
    </>
  );
}

import type { PixTransaction } from "payments-sdk";
import type { PaymentRefusal, PixPayment } from "../shared/order-view.ts";
import type { Attempt, Order, Outcome } from "./orders.ts";
import { paymentOf, payOnce } from "./pay.ts";
import type { Shop } from "./shop.ts";

/** Creates a pix. That it is paid is told by a postback, and by nothing else. */
export async function payByPix(
  shop: Shop,
  order: Order,
  { buyer, revision }: PixPayment,
  ip: string,
): Promise<PaymentRefusal | undefined> {
  if (shop.pixCodes.isReached(ip)) return { code: "too_many_attempts" };
  const attempt = order.begin("pix", revision);
  if (attempt === undefined) return { code: "busy" };
  shop.pixCodes.count(ip);
  const payment = paymentOf(attempt, buyer, ip);
  return payOnce(
    shop,
    attempt,
    () => shop.payments.transactions.createPix({ ...payment, pix: { expiresInDays: 1 } }),
    (transaction) => {
      const outcome = outcomeOf(transaction);
      expireLater(attempt, outcome.pix?.expiresAt);
      return outcome;
    },
  );
}

/** Milliseconds after its end in which a payment may still be on its way. */
const GRACE_MS = 5 * 60_000;

/** That a code expired may be told by nobody. A payment that comes even later counts all the same. */
function expireLater(attempt: Attempt, expiresAt: Date | undefined): void {
  if (expiresAt === undefined) return;
  const leftMs = expiresAt.getTime() - Date.now() + GRACE_MS;
  setTimeout(() => attempt.order.settle(attempt, { status: "expired" }), leftMs).unref();
}

function outcomeOf({ status, pix }: PixTransaction): Outcome {
  const expiresAt = pix.expirationDate === undefined ? Number.NaN : Date.parse(pix.expirationDate);
  return {
    status,
    pix: {
      code: pix.qrcodeText,
      ...(pix.qrcode !== undefined && { picture: pix.qrcode }),
      ...(!Number.isNaN(expiresAt) && { expiresAt: new Date(expiresAt) }),
    },
  };
}

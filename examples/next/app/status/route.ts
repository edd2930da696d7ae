import { getShop } from "../../lib/payments";

/** `<PaymentPix>` asks it whether the code is paid. */
export function GET(request: Request): Promise<Response> {
  return getShop().status.fetch(request);
}

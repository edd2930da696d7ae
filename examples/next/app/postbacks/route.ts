import { getShop } from "../../lib/payments";

export function POST(request: Request): Promise<Response> {
  return getShop().postbacks.fetch(request);
}

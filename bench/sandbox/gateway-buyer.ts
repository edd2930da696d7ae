import { createGateway, type Gateway } from "payments-sdk/sandbox";
import { PUBLIC_KEY, SECRET_KEY } from "../support/keys.ts";
import { Buyer, FILLING, type Post, tokenAt } from "./buyer.ts";

/** Who buys in a gateway without a server between them. */
export async function buyerIn(gateway: Gateway): Promise<Buyer> {
  const { baseUrl } = gateway;
  const post: Post = async (path, headers, body) => {
    const response = await gateway.fetch(baseUrl + path, { method: "POST", headers, body });
    return response.text();
  };
  return new Buyer(post, await tokenAt(baseUrl, (url, init) => gateway.fetch(url, init)));
}

/** Lets the engine see the code so often that it compiles it, in a gateway that is then forgotten. */
export async function warmUp(creates: number): Promise<void> {
  const gateway = createGateway({ secretKey: SECRET_KEY, publicKey: PUBLIC_KEY });
  await (await buyerIn(gateway)).createMany(FILLING, creates, 1);
  gateway.close();
}

// The shop of task 5, which is wrong on purpose: it repeats requests, and ships on 201.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Shop, ShopOrder, ShopService, ShopView } from "payments-sdk/testing";

export async function start({ baseUrl, secretKey, publicKey }: ShopService): Promise<Shop> {
  const views = new Map<string, ShopView>();
  const shipped: string[] = [];
  const authorization = `Basic ${btoa(`${secretKey}:${publicKey}`)}`;
  let isFailing = false;

  function ship(id: string) {
    if (isFailing) {
      isFailing = false;
      throw new Error("the warehouse does not respond");
    }
    shipped.push(id);
    views.set(id, "paid");
  }

  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { status, externalRef } = JSON.parse(body);
    try {
      if (status === "approved") ship(externalRef);
    } catch {}
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const postbackUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/postbacks`;

  async function send(body: object): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const signal = AbortSignal.timeout(1_000);
      const headers = { authorization, "content-type": "application/json" };
      const options = { method: "POST", headers, body: JSON.stringify(body), signal };
      const response = await fetch(`${baseUrl}/api/v1/transactions`, options).catch(() => undefined);
      if (response !== undefined && response.status < 500) return response;
      if (attempt === 3) throw new Error("the service does not respond");
    }
  }

  async function pay({ id, amount, method, cardToken }: ShopOrder): Promise<ShopView> {
    const card = { installments: "1", card: { hash: await cardToken?.() } };
    const response = await send({
      ...{
        amount,
        paymentMethod: method,
        externalRef: id,
        postbackUrl,
        ip: "203.0.113.7",
        traceable: true,
        metadata: "{}",
      },
      ...(method === "pix" ? { pix: { expiresInDays: 1 } } : card),
      customer: {
        ...{ name: "Maria Exemplo", email: "maria@example.com", phone: "11999998888" },
        document: { type: "cpf", number: "52998224725" },
      },
      items: [{ title: "Camiseta", unitPrice: amount, quantity: 1, tangible: true }],
    });
    if (response.status !== 201) return "error";
    if (method === "pix") return "code";
    ship(id);
    return "paid";
  }

  return {
    pay: (order) => pay(order).catch((): ShopView => "error"),
    view: async (id) => views.get(id) ?? "waiting",
    shipped: (id) => shipped.filter((one) => one === id).length,
    restart: async () => views.clear(),
    failOnce() {
      isFailing = true;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

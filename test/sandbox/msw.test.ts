import { HttpResponse, http } from "msw/http";
import { setupServer } from "msw/node";
import { handlers } from "payments-sdk/msw";
import { createGateway, SANDBOX_PUBLIC_KEY, SANDBOX_SECRET_KEY } from "payments-sdk/sandbox";
import { expect, onTestFinished, test } from "vitest";
import { aCardPayment, aPix, bodyOf, merchant } from "./support/wire.ts";

type Handlers = ReturnType<typeof handlers>;

function intercept(list: Handlers) {
  const server = setupServer(...list);
  server.listen({ onUnhandledFrame: "error" });
  onTestFinished(() => server.close());
  return server;
}

test("there is one handler for each of the six endpoints", () => {
  const list = handlers(createGateway({ baseUrl: "https://api.example/pay" }));

  const headers = list.map(({ info }) => info.header);

  expect(headers).toEqual([
    "POST https://api.example/pay/api/v1/transactions",
    "POST https://api.example/pay/api/v1/card-token",
    "GET https://api.example/pay/api/v1/company",
    "GET https://api.example/pay/api/v1/status",
    "GET https://api.example/pay/sellers",
    "GET https://api.example/pay/sellers/revenue",
  ]);
});

test("fetch reaches a gateway whose state the test holds", async () => {
  const gateway = createGateway();
  intercept(handlers(gateway));
  const { create, token } = merchant(gateway, fetch);

  const response = await create(aCardPayment(await token()));

  expect(response.status).toBe(201);
  expect(gateway.chargesFor("order-1")).toHaveLength(1);
});

test("a base URL alone is enough, with the sandbox's own keys", async () => {
  const baseUrl = "http://localhost:4010/pay";
  intercept(handlers(baseUrl));
  const keys = { baseUrl, secretKey: SANDBOX_SECRET_KEY, publicKey: SANDBOX_PUBLIC_KEY };
  const { create, get } = merchant(keys, fetch);

  const created = await create(aPix());
  const answers = await Promise.all(
    ["/api/v1/company", "/api/v1/status", "/sellers", "/sellers/revenue"].map(get),
  );

  expect((await bodyOf(created)).data.secureUrl).toMatch(/^http:\/\/localhost:4010\/pay\/checkout\//);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test("a test can put a handler of its own in the place of one", async () => {
  const gateway = createGateway();
  const server = intercept(handlers(gateway));
  server.use(
    http.post(`${gateway.baseUrl}/api/v1/transactions`, () => new HttpResponse(null, { status: 503 })),
  );
  const { create, get } = merchant(gateway, fetch);

  const statuses = [(await create(aPix())).status, (await get("/api/v1/company")).status];

  expect(statuses).toEqual([503, 200]);
  expect(gateway.transactions).toEqual([]);
});

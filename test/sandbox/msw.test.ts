import { http } from "msw/http";
import { setupServer } from "msw/node";
import { PaymentsClient } from "payments-sdk";
import { handlers } from "payments-sdk/msw";
import {
  createGateway,
  type FaultKind,
  type Gateway,
  SANDBOX_PUBLIC_KEY,
  SANDBOX_SECRET_KEY,
} from "payments-sdk/sandbox";
import { expect, onTestFinished, test, vi } from "vitest";
import { aGuidePix, aPix, bodyOf, merchant } from "./support/wire.ts";

function intercept(list: ReturnType<typeof handlers>) {
  const server = setupServer(...list);
  server.listen({ onUnhandledFrame: "error" });
  onTestFinished(() => server.close());
  return server;
}

test("there is one handler for each of the six endpoints, the one for pages also for their preflight", () => {
  const list = handlers(createGateway({ baseUrl: "https://api.example/pay", sellersPath: "/v2/sellers" }));

  expect(list.map(({ info }) => info.header)).toEqual([
    "POST https://api.example/pay/api/v1/transactions",
    "/.+/ https://api.example/pay/api/v1/card-token",
    "GET https://api.example/pay/api/v1/company",
    "GET https://api.example/pay/api/v1/status",
    "GET https://api.example/pay/v2/sellers",
    "GET https://api.example/pay/v2/sellers/revenue",
  ]);
});

test("with only a base URL, the default keys of the sandbox are used", async () => {
  const baseUrl = "http://localhost:4010/pay";
  intercept(handlers(baseUrl));
  const keys = { baseUrl, secretKey: SANDBOX_SECRET_KEY, publicKey: SANDBOX_PUBLIC_KEY };

  const created = await merchant(keys, fetch).create(aPix());

  expect((await bodyOf(created)).data.secureUrl).toMatch(/^http:\/\/localhost:4010\/pay\/checkout\//);
});

test.each<[FaultKind, string, string, number]>([
  ["charged_then_reset", "connection_failed", "unknown", 1],
  ["refused_connection", "connection_failed", "unknown", 0], // behind msw nothing is proven
  ["charged_then_500", "server_error", "unknown", 1],
  ["pix_refused", "pix_refused", "rejected", 0],
])("the client reports the fault %s as %s, %s, with %i charges", async (kind, code, outcome, charges) => {
  const gateway = createGateway();
  intercept(handlers(gateway));
  gateway.faults.add({ on: "transactions.create", kind });
  const { baseUrl, secretKey, publicKey } = gateway;
  const payments = new PaymentsClient({ baseUrl, secretKey, publicKey });

  const call = payments.transactions.createPix({ ...aGuidePix(), externalRef: "order-1" } as never);

  await expect(call).rejects.toMatchObject({ code, outcome });
  expect(gateway.chargesFor("order-1")).toHaveLength(charges);
});

test.each([
  ["through msw", () => globalThis.fetch],
  ["in process", (gateway: Gateway) => gateway.fetch],
])(
  "an error of the sandbox itself is a 500 that names it, and is printed with its cause: %s",
  async (_, fetchOf) => {
    const gateway = createGateway();
    intercept(handlers(gateway));
    const bug = new Error("no JSON here");
    vi.spyOn(Response, "json").mockImplementationOnce(() => {
      throw bug;
    });
    const print = vi.spyOn(console, "error").mockReturnValue();
    const { baseUrl, secretKey, publicKey } = gateway;
    const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, fetch: fetchOf(gateway) });

    const call = payments.transactions.createPix({ ...aGuidePix(), externalRef: "order-1" } as never);

    const message = "The sandbox failed: Error: no JSON here";
    const body = JSON.stringify({ success: false, message });
    await expect(call).rejects.toMatchObject({ code: "server_error", status: 500, body });
    expect(print.mock.calls).toEqual([[expect.objectContaining({ message, cause: bug })]]);
    expect(gateway.requests.at(-1)).toMatchObject({ status: 500, reason: message });
  },
);

test("also an error outside of the endpoints is one of the sandbox, and not of the network", async () => {
  const { fetch, baseUrl } = createGateway();
  vi.spyOn(console, "error").mockReturnValue();
  vi.spyOn(Response.prototype, "clone").mockImplementation(() => {
    throw new Error("no clone here");
  });

  const { status } = await fetch(`${baseUrl}/api/v1/status`);

  expect(status).toBe(500);
});

test("with a handler for its URL, a postback is not an unhandled request", async () => {
  const gateway = createGateway();
  const received: unknown[] = [];
  const server = intercept(handlers(gateway));
  server.use(
    http.post("https://shop.example/postbacks", async ({ request }) => {
      received.push(await request.json());
      return new Response();
    }),
  );
  const { id } = await merchant(gateway, fetch).pix({ postbackUrl: "https://shop.example/postbacks" });

  gateway.pay(id);
  await gateway.settled();

  expect(received).toEqual([expect.objectContaining({ id, status: "approved" })]);
});

import { setupServer } from "msw/node";
import { PaymentsClient } from "payments-sdk";
import { handlers } from "payments-sdk/msw";
import { createGateway } from "payments-sdk/sandbox";
import { equal, type Part } from "./environment.ts";
import { aPix } from "./orders.ts";

export const behindMsw: Part = async () => {
  const gateway = createGateway({ baseUrl: "https://api.example.com" });
  const server = setupServer(...handlers(gateway));
  server.listen();
  try {
    const { baseUrl, secretKey, publicKey } = gateway;
    const payments = new PaymentsClient({ baseUrl, secretKey, publicKey });
    const { status } = await payments.transactions.createPix(aPix("smoke-msw"));
    equal(status, "pending", "the status of a pix behind msw");
    equal(gateway.chargesFor("smoke-msw").length, 1, "the charges behind msw");
  } finally {
    server.close();
    gateway.close();
  }
};

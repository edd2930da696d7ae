import { Test } from "@nestjs/testing";
import { PaymentsClient } from "payments-sdk";
import { sqliteStore } from "payments-sdk/idempotency";
import { createGateway } from "payments-sdk/sandbox";
import { PaymentsModule, PaymentsService, STORE } from "./payments.module";

test("a pix has a code", async () => {
  process.env.PAYMENTS_POSTBACK_SECRET = "only for tests, never for a shop";
  const { baseUrl, secretKey, publicKey, fetch } = createGateway();
  const idempotency = sqliteStore(":memory:");
  const app = await Test.createTestingModule({ imports: [PaymentsModule] })
    .overrideProvider(STORE)
    .useValue(idempotency)
    .overrideProvider(PaymentsClient)
    .useValue(new PaymentsClient({ baseUrl, secretKey, publicKey, fetch, idempotency }))
    .compile();
  await app.init();

  const { code } = await app.get(PaymentsService).createPix({
    amount: 1990,
    externalRef: "order-1",
    customer: {
      name: "Maria Exemplo",
      email: "maria@example.com",
      document: { type: "cpf", number: "52998224725" },
    },
  });

  expect(code).toMatch(/^000201/);
  await app.close();
});

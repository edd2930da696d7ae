import { PaymentsClient } from "../../../../src/client/payments-client.ts";

/** A process of its own, which needs no build: tells the outcome of a create at the address that it is given. */
const payments = new PaymentsClient({ baseUrl: process.argv[2], secretKey: "sk_1", publicKey: "pk_1" });
const document = { type: "cpf", number: "52998224725" } as const;
const customer = { name: "Maria Exemplo", email: "maria@example.com", document };
await payments.transactions
  .createPix({ amount: 1990, customer })
  .catch(({ outcome }) => console.log(outcome));

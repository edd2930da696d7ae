import { PaymentsClient } from "../../../src/client/payments-client.ts";

// A process that needs no build: prints the outcome of a create call that fails at the given base URL.
const payments = new PaymentsClient({ baseUrl: process.argv[2], secretKey: "sk_1", publicKey: "pk_1" });
const document = { type: "cpf", number: "52998224725" } as const;
const customer = { name: "Maria Exemplo", email: "maria@example.com", document };
await payments.transactions
  .createPix({ amount: 1990, customer })
  .catch(({ outcome }) => console.log(outcome));

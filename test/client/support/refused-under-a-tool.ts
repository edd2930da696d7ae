import { PaymentsClient } from "../../../src/client/payments-client.ts";
import { aPix, PUBLIC_KEY, SECRET_KEY } from "../../support/merchant.ts";

/** A process of its own: tells the outcome of a create at the address that it is given. */
const baseUrl = process.argv[2] ?? "";
const payments = new PaymentsClient({ baseUrl, secretKey: SECRET_KEY, publicKey: PUBLIC_KEY });
await payments.transactions.createPix(aPix()).catch(({ outcome }) => console.log(outcome));

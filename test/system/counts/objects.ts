// In a fresh process: how many objects of fetch's are made by one call of each kind, after one that is not counted.
import { PaymentsClient } from "payments-sdk";
import { nodeTransport } from "payments-sdk/node";
import { aCardPayment } from "../../support/merchant.ts";

const counts: Record<string, number> = {};

function count(what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

for (const name of ["Request", "Response", "Headers"] as const) {
  Reflect.set(
    globalThis,
    name,
    new Proxy(globalThis[name], {
      construct(target, args, newTarget) {
        count(name);
        return Reflect.construct(target, args, newTarget);
      },
    }),
  );
}
for (const { prototype } of [Request, Response]) {
  Reflect.set(
    prototype,
    "clone",
    new Proxy(prototype.clone, {
      apply(target, self, args) {
        count("clone");
        return Reflect.apply(target, self, args);
      },
    }),
  );
}

const [baseUrl] = process.argv.slice(2);
const keys = { baseUrl, secretKey: "sk_test_counts", publicKey: "pk_test_counts" };
const transport = nodeTransport();
const clients = { fetch: new PaymentsClient(keys), node: new PaymentsClient({ ...keys, fetch: transport }) };
const calls = {
  create: (client: PaymentsClient) => client.transactions.createCard(aCardPayment()),
  read: (client: PaymentsClient) => client.company.retrieve(),
  "read that is not repeated": () => new PaymentsClient({ ...keys, maxRetries: 0 }).company.retrieve(),
};

const counted: Record<string, Record<string, number>> = {};
for (const [over, client] of Object.entries(clients)) {
  for (const [name, call] of Object.entries(calls)) {
    await call(client);
    for (const what of Object.keys(counts)) delete counts[what];
    await call(client);
    counted[`${name} over ${over}`] = { ...counts };
  }
}
transport.close();
console.log(JSON.stringify(counted));

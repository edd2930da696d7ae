// Grades the shops of the tasks: node scripts/evaluation/grade.ts <folder with a folder for each task>
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { startSandbox } from "payments-sdk/sandbox/server";
import { type Shop, type ShopOrder, type ShopService, shopTests } from "payments-sdk/testing";

type Start = (service: ShopService) => Promise<Shop>;
type Methods = readonly ShopOrder["method"][];

const PIX = ["pix"] as const;
const CARD = ["credit_card"] as const;
const BOTH = ["pix", "credit_card"] as const;

/** Which rules of `shopTests` a task has. */
const TASKS: Readonly<Record<string, { readonly methods: Methods; readonly rules: RegExp }>> = {
  "1-pix": {
    methods: PIX,
    rules: /^a pix (?!payment)|^orders|over another amount|clicks|reloads|several times/,
  },
  "2-card": { methods: CARD, rules: /^a card|clicks|reloads/ },
  "3-lost": {
    methods: BOTH,
    rules: /^a (?:card|pix) payment|clicks|reloads|was not sent|down for a while|^a shop that/,
  },
  "4-postbacks": {
    methods: BOTH,
    rules: /^a postback|returned|expires|is cancelled|fails to record|^orders/,
  },
  "5-fix": { methods: BOTH, rules: /./ },
};

const AT_ONCE = 8;

/** @returns how many rules there are, and what is wrong with each broken one. */
async function grade(start: Start, { methods, rules }: (typeof TASKS)[string]) {
  const named = shopTests({ start, methods }).filter(({ name }) => rules.test(name));
  const waiting = [
    ...named,
    { name: "three clicks make one charge", run: () => clickThreeTimes(start, methods[0]) },
  ];
  const broken: string[] = [];
  let kept = 0;
  async function work() {
    for (let rule = waiting.shift(); rule !== undefined; rule = waiting.shift()) {
      const { name, run } = rule;
      let skipped: string | undefined;
      const skip = (reason: string) => {
        skipped = reason;
      };
      const problem = await run({ skip }).catch((error: unknown) => String(error).split("\n").at(-1));
      if (problem !== undefined) broken.push(`${name}: ${problem}`);
      else if (skipped?.includes("()")) broken.push(`${name}: ${skipped}`);
      else if (skipped === undefined) kept += 1; // the rule of another method of payment does not count
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { kept, broken };
}

/** Counts the charges of one reference, which must be the id of the order. */
async function clickThreeTimes(start: Start, method: ShopOrder["method"] = "pix"): Promise<void> {
  const { baseUrl, secretKey, publicKey, gateway, close } = await startSandbox();
  const shop = await start({ baseUrl, secretKey, publicKey });
  try {
    const query = `?${new URLSearchParams({ publicKey })}`;
    const card = {
      number: "4111111111111111",
      holderName: "M",
      expirationMonth: "12",
      expirationYear: "2039",
      cvv: "123",
    };
    const request = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(card),
    };
    const cardToken = async () => (await fetch(`${baseUrl}/api/v1/card-token${query}`, request)).text();
    const order = { id: "order-1", amount: 1990, method, ...(method === "credit_card" && { cardToken }) };
    await Promise.all([shop.pay(order), shop.pay(order)]);
    await shop.pay(order);
    const { length } = gateway.chargesFor("order-1");
    assert(length === 1, `${length} charges with the id as externalRef`);
  } finally {
    await shop.stop();
    await close();
  }
}

const folder = resolve(process.argv[2] ?? ".");
process.on("uncaughtException", (error) => console.log(`  uncaught: ${error}`));
for (const [name, task] of Object.entries(TASKS)) {
  const file = join(folder, name, "shop.ts");
  if (!existsSync(file)) {
    console.log(`${name}: no shop.ts`);
    continue;
  }
  const { start } = (await import(pathToFileURL(file).href)) as { readonly start: Start };
  const { kept, broken } = await grade(start, task);
  console.log(`${name}: ${kept} of ${kept + broken.length} rules`);
  for (const line of broken.sort()) console.log(`  broken: ${line}`);
}
process.exit();

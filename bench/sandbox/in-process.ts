// In a process of its own: what creates cost in a gateway that is called without a server.
import { createGateway } from "payments-sdk/sandbox";
import { PUBLIC_KEY, SECRET_KEY } from "../support/keys.ts";
import { FILLING } from "./buyer.ts";
import { buyerIn, warmUp } from "./gateway-buyer.ts";
import { measureSandbox } from "./measure.ts";
import type { SandboxPlan } from "./plan.ts";

const plan = JSON.parse(process.argv[2] ?? "") as SandboxPlan;
await warmUp(plan.warmUp);
const gateway = createGateway({ secretKey: SECRET_KEY, publicKey: PUBLIC_KEY });
const buyer = await buyerIn(gateway);
const fillTo = (size: number) => buyer.createMany(FILLING, size - gateway.transactions.length, 1);

process.on("disconnect", () => process.exit()); // nobody is left who wants to know
process.send?.(await measureSandbox({ buyer, fillTo, cpu: async () => ownCpu() }, plan));

function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

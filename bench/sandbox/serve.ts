// A sandbox with its server, in a process of its own. Told a size, it fills itself; it says what CPU it has used.
import { startSandbox } from "payments-sdk/sandbox/server";
import { PUBLIC_KEY, SECRET_KEY } from "../support/keys.ts";
import { FILLING } from "./buyer.ts";
import { buyerIn, warmUp } from "./gateway-buyer.ts";
import type { SandboxPlan } from "./plan.ts";

await warmUp((JSON.parse(process.argv[2] ?? "") as SandboxPlan).warmUp);
const { gateway, baseUrl } = await startSandbox({ secretKey: SECRET_KEY, publicKey: PUBLIC_KEY });
const filler = await buyerIn(gateway);

process.on("disconnect", () => process.exit()); // nobody is left who needs it
process.on("message", async (size: number) => {
  await filler.createMany(FILLING, Math.max(0, size - gateway.transactions.length), 1);
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.send?.(baseUrl);

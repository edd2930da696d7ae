/**
 * A small shop: the buyer's page, and its server.
 *
 *   npm run example checkout
 *
 * Uses a sandbox, or the service in the environment variables. That service also needs PUBLIC_URL, at which it can
 * reach this shop, and PAYMENTS_POSTBACK_SECRET. PORT is the port of the shop (default: 3000).
 */
import process, { env } from "node:process";
import { SANDBOX_SECRET_KEY } from "payments-sdk/sandbox";
import { startShop } from "./checkout/server/start-shop.ts";
import { connect } from "./support/service.ts";

const service = await connect();
const publicUrl = env["PUBLIC_URL"];
if (service.secretKey !== SANDBOX_SECRET_KEY && publicUrl === undefined) {
  throw new Error("PUBLIC_URL is not set: without postbacks, the shop cannot know that a pix is paid.");
}

const log = (line: string) => console.log(`  ${new Date().toLocaleTimeString()}  ${line}`);
const shop = await startShop({ service, port: Number(env["PORT"] ?? 3000), publicUrl, log });

console.log(`Shop         ${shop.url}/?demo`);
if (service.sandbox) {
  console.log(`Dashboard    ${service.baseUrl} (pay a pix here)`);
  console.log(
    "Cards        4111 1111 1111 1111 approved, 4000 0000 0000 9995 refused, 4000 0000 0000 9235 pending, with any future date and any code",
  );
}
console.log("Press Ctrl-C to stop.\n");

async function end(): Promise<void> {
  await shop.close();
  await service.close();
}
process.once("SIGINT", end).once("SIGTERM", end);

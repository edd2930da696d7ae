/**
 * A small shop: a page for the buyer, and the server behind it.
 *
 *   npm run example checkout
 *
 * It takes payments at a sandbox, or at the service that the environment names, which then needs PUBLIC_URL, where it
 * can reach this shop, and PAYMENTS_POSTBACK_SECRET. PORT is where the shop listens (default: 3000).
 */
import { env } from "node:process";
import { SANDBOX_SECRET_KEY } from "payments-sdk/sandbox";
import { startShop } from "./checkout/server/start-shop.ts";
import { connect } from "./support/service.ts";

const service = await connect();
const publicUrl = env["PUBLIC_URL"];
if (service.secretKey !== SANDBOX_SECRET_KEY && publicUrl === undefined) {
  throw new Error("PUBLIC_URL is not set: without postbacks nobody learns that a pix is paid.");
}

const log = (line: string) => console.log(`  ${new Date().toLocaleTimeString()}  ${line}`);
const shop = await startShop({ service, port: Number(env["PORT"] ?? 3000), publicUrl, log });

console.log(`Shop         ${shop.url}/?demo`);
if (service.sandbox) {
  console.log(`Dashboard    ${service.baseUrl} (a pix is paid there)`);
  console.log(
    "Cards        4111 1111 1111 1111 approved, 4000 0000 0000 9995 refused, 4000 0000 0000 9235 pending, with any later date and code",
  );
}
console.log("Ctrl-C closes the shop.\n");

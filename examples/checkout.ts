/**
 * A small shop: a page on which a buyer pays by card or pix, and the server behind it.
 *
 *   npm run example checkout
 *
 * Runs against the embedded sandbox, unless PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY and
 * PAYMENTS_PUBLIC_KEY name a service; then it asks before it takes anybody's money.
 */
import { env, exit } from "node:process";
import { parseArgs } from "node:util";
import { SANDBOX_SECRET_KEY } from "payments-sdk/sandbox";
import { type RunningShop, type ShopOptions, startShop } from "./checkout/server/start-shop.ts";
import { connect, mayCharge, type Service } from "./support/service.ts";
import { heading, row, styled } from "./support/terminal.ts";

const USUAL_PORT = 3000;

const USAGE = `A small shop that takes cards and pix.

Usage: npm run example checkout [-- <options>]

  --port <port>        where the shop listens (default ${USUAL_PORT}, or any that is free)
  --public-url <url>   where the service can reach the shop for its postbacks; needed unless it is a sandbox
  --help               this text

PAYMENTS_POSTBACK_SECRET signs the addresses of the postbacks; needed unless it is a sandbox.
`;

function readFlags() {
  try {
    const { values } = parseArgs({
      options: { port: { type: "string" }, "public-url": { type: "string" }, help: { type: "boolean" } },
    });
    const port = values.port === undefined ? undefined : Number(values.port);
    if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
      throw new Error("--port must be a whole number from 0 to 65535.");
    }
    const publicUrl = values["public-url"];
    if (publicUrl !== undefined && !URL.canParse(publicUrl)) throw new Error("--public-url must be a URL.");
    return { help: values.help === true, port, publicUrl: publicUrl?.replace(/\/+$/, "") };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return exit(1);
  }
}

/** At the port that was asked for, and at no other; without one, at the usual one if it is free. */
async function start(options: ShopOptions, port: number | undefined): Promise<RunningShop> {
  try {
    return await startShop({ ...options, port: port ?? USUAL_PORT });
  } catch (error) {
    if (port !== undefined || (error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return startShop({ ...options, port: 0 });
  }
}

function introduce(service: Service, { url }: RunningShop): void {
  console.log(styled("bold", "The shop is open.\n"));
  row("Shop", `${url}/?demo`);
  if (service.secretKey !== SANDBOX_SECRET_KEY) {
    row("Service", service.baseUrl);
    return;
  }
  row("Dashboard", service.baseUrl);
  heading("Cards to try, with any later date and any code");
  row("approved", "4111 1111 1111 1111");
  row("refused", "4000 0000 0000 9995");
  row("in analysis", "4000 0000 0000 3220, approved after 5 seconds");
  console.log("\n  A pix is paid on the dashboard. Ctrl-C closes the shop.\n");
}

const flags = readFlags();
if (flags.help) {
  console.log(USAGE);
  exit(0);
}
const service = await connect();
for (const notice of service.notices) console.log(`${notice}\n`);
if (service.secretKey !== SANDBOX_SECRET_KEY && flags.publicUrl === undefined) {
  // Without postbacks no pix would ever be paid here, and no lost answer be found again.
  console.error(`--public-url is missing: the service cannot reach this machine by itself.\n\n${USAGE}`);
  exit(1);
}
if (service.secretKey !== SANDBOX_SECRET_KEY && !env["PAYMENTS_POSTBACK_SECRET"]) {
  console.error(`PAYMENTS_POSTBACK_SECRET is not set: \`openssl rand -base64 32\` makes one.\n\n${USAGE}`);
  exit(1);
}
if (!(await mayCharge(service, "Whoever buys in this shop would be charged."))) {
  console.log("\nThe shop stays closed.");
  exit(0);
}
try {
  const { publicUrl } = flags;
  const log = (line: string) => console.log(`  ${new Date().toLocaleTimeString()}  ${line}`);
  const shop = await start({ service, log, ...(publicUrl !== undefined && { publicUrl }) }, flags.port);
  introduce(service, shop);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, async () => {
      await shop.close();
      await service.close();
      exit(0);
    });
  }
} catch (error) {
  console.error((error as Error).message);
  exit(1);
}

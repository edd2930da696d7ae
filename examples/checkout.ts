/**
 * A small shop: a page for the buyer, and the server behind it.
 *
 *   npm run example checkout
 */
import { env } from "node:process";
import { type RunningShop, type ShopOptions, startShop } from "./checkout/server/start-shop.ts";
import { example } from "./support/example.ts";
import { check } from "./support/failure.ts";
import { url, wholeNumber } from "./support/flags.ts";
import { namedService, type Service } from "./support/service.ts";
import { heading, row } from "./support/terminal.ts";

const USUAL_PORT = 3000;

await example({
  name: "checkout",
  summary: "A small shop that takes cards and pix.",
  flags: {
    port: wholeNumber(
      "<port>",
      `where the shop listens (default: ${USUAL_PORT}, or any that is free)`,
      [0, 65_535],
    ),
    "public-url": url(
      "where the service can reach the shop for its postbacks; needed unless it is a sandbox",
    ),
  },
  charges: true,
  notes:
    "PAYMENTS_POSTBACK_SECRET signs the addresses of the postbacks; needed unless it is a sandbox.\nCtrl-C closes the shop.",
  async run({ flags, connect, mayCharge, tell, say, onEnd, untilInterrupted }) {
    const publicUrl = flags["public-url"];
    const isReal = namedService()?.isSandbox === false;
    // Without postbacks no pix would ever be paid here, and no lost answer be found again.
    check(
      !isReal || publicUrl !== undefined,
      "--public-url is missing: the service cannot reach this machine by itself.",
    );
    check(
      !isReal || env["PAYMENTS_POSTBACK_SECRET"],
      "PAYMENTS_POSTBACK_SECRET is not set: `openssl rand -base64 32` makes one.",
    );
    const service = await connect();
    if (!(await mayCharge(service, "Whoever buys in this shop would be charged."))) {
      return say("\nThe shop stays closed.");
    }

    const log = (line: string) => say(`  ${new Date().toLocaleTimeString()}  ${line}`);
    const shop = await start({ service, log, ...(publicUrl !== undefined && { publicUrl }) }, flags.port);
    onEnd(() => shop.close());
    const interrupted = untilInterrupted();
    const { baseUrl, isSandbox } = service;
    tell({ shop: `${shop.url}/`, ...(isSandbox && { dashboard: baseUrl }) }, () => introduce(service, shop));
    await interrupted;
  },
});

/** At the port that was asked for, and at no other; without one, at the usual one if it is free. */
async function start(options: ShopOptions, port: number | undefined): Promise<RunningShop> {
  try {
    return await startShop({ ...options, port: port ?? USUAL_PORT });
  } catch (error) {
    if (port !== undefined || (error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return startShop({ ...options, port: 0 });
  }
}

function introduce({ isSandbox, baseUrl }: Service, { url: shopUrl }: RunningShop): void {
  heading("The shop is open.");
  console.log();
  row("Shop", `${shopUrl}/?demo`);
  if (!isSandbox) return;
  row("Dashboard", baseUrl);
  heading("Cards to try, with any later date and any code");
  row("approved", "4111 1111 1111 1111");
  row("refused", "4000 0000 0000 9995");
  row("in analysis", "4000 0000 0000 3220, approved after 5 seconds");
  console.log("\n  A pix is paid on the dashboard. Ctrl-C closes the shop.\n");
}

import type { ShopService } from "payments-sdk/testing";
import { freePort, type Running, run } from "../../../support/running.ts";

/** The program of a shop, as a process. */
export interface Program extends Running {
  readonly url: string;
  /** Kills the process, and waits until it has ended. */
  stop(): Promise<void>;
}

process.setMaxListeners(100); // each program is killed at its end

/** No port that the system gives to others, nor a sandbox's of `shopTests`: it is free again after a restart. */
let lastPort = 30_000 + (process.pid % 10) * 250;

export async function nextPort(): Promise<number> {
  lastPort += 1;
  return freePort(lastPort).catch(nextPort); // in use
}

/** Runs a program of Node until it prints the URL of the shop. */
export async function startProgram(
  args: readonly string[],
  { baseUrl, secretKey, publicKey }: ShopService,
  { port, folder }: { readonly port: number; readonly folder?: string },
): Promise<Program> {
  const settings = {
    PORT: port,
    PAYMENTS_BASE_URL: baseUrl,
    PAYMENTS_SECRET_KEY: secretKey,
    PAYMENTS_PUBLIC_KEY: publicKey,
    PAYMENTS_POSTBACK_URL: `http://localhost:${port}/postbacks`,
    PAYMENTS_POSTBACK_SECRET: "only for these tests, never for a shop",
  };
  const running = run("node", args, folder, settings);
  const [url] = await running.printed(new RegExp(`http://localhost:${port}$`, "m"));
  const stop = async () => {
    running.kill();
    await running.ended;
  };
  return { ...running, url, stop };
}

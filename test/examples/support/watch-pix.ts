import { type Sandbox, startSandbox } from "payments-sdk/sandbox/server";
import { onTestFinished } from "vitest";
import type { Running } from "../../support/running.ts";
import { envOf, startExample } from "./run-example.ts";

export interface Watching {
  readonly sandbox: Sandbox;
  readonly gateway: Sandbox["gateway"];
  readonly running: Running;
}

/** Starts `pix --watch` for order-1 of R$ 19,90 on a sandbox of the test. */
export async function watch(...args: readonly string[]): Promise<Watching> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const running = startExample("pix", ["--watch", "--ref", "order-1", ...args], envOf(sandbox));
  onTestFinished(running.kill);
  return { sandbox, gateway: sandbox.gateway, running };
}

/** The id of the pix that it waits for with `--json`. */
export async function idOf(running: Running): Promise<number> {
  const [, id] = await running.printed(/^\{"id":(\d+),.+\n/);
  return Number(id);
}

/** Posts to the address of the pix, signature and all. */
export async function post(gateway: Sandbox["gateway"], postback: object): Promise<number> {
  const [{ postBackUrl = "" } = {}] = gateway.transactions;
  const body = JSON.stringify({ externalRef: "order-1", amount: 1990, ...postback });
  const { status } = await fetch(postBackUrl, { method: "POST", body });
  return status;
}

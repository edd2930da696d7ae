import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Shop, type ShopOrder, type ShopService, shopTests } from "payments-sdk/testing";
import { test, vi } from "vitest";
import { root } from "../../support/running.ts";
import { nextPort, type Program, startProgram } from "./support/program.ts";
import { viewOfSample } from "./support/sample-view.ts";

vi.setConfig({ maxConcurrency: 8 }); // most of a test starts processes

const SAMPLE = readFileSync(join(root, "docs/samples/checkout-server.mjs"), "utf8");

/** The sample sells one thing to one customer: a process for each order. */
async function start(service: ShopService): Promise<Shop> {
  const programs = new Map<string, Promise<Program>>();

  async function open({ amount }: ShopOrder): Promise<Program> {
    const code = SAMPLE.replaceAll("1990", String(amount));
    return startProgram(["--input-type=module", "--eval", code], service, { port: await nextPort() });
  }

  return {
    async pay(order) {
      const program = programs.get(order.id) ?? open(order);
      programs.set(order.id, program);
      const { url } = await program;
      const path = order.method === "pix" ? "/pix" : "/pay";
      const body = JSON.stringify({ token: await order.cardToken?.() });
      const response = await fetch(url + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      return viewOfSample(response);
    },
    /** The buttons, without a text. The server decides what they do. */
    view: async () => "waiting",
    shipped: async (id) => ((await programs.get(id))?.stdout().match(/ship it$/gm) ?? []).length,
    async stop() {
      for (const program of programs.values()) await (await program).stop();
    },
  };
}

const tests = shopTests({ start, timeoutMs: 10_000 }).filter(
  ({ name }) => !/restarts|fails to record/.test(name),
);

// The others do not apply: the sample keeps nothing, and its work cannot fail.
for (const { name, run } of tests) test.concurrent(name, run);

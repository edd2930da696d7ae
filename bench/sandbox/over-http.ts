import { Agent } from "node:http";
import { startChild } from "../children/child.ts";
import { Buyer, type Post, tokenAt } from "./buyer.ts";
import { measureSandbox } from "./measure.ts";
import type { SandboxCost, SandboxPlan } from "./plan.ts";
import { post } from "./post.ts";

const SERVE = new URL("./serve.ts", import.meta.url);

/** What creates cost in a sandbox that runs in a process of its own, asked by the cheapest of clients. */
export async function measureOverHttp(plan: SandboxPlan): Promise<SandboxCost[]> {
  const child = await startChild<string>(SERVE, plan);
  const agent = new Agent({ keepAlive: true });
  try {
    const baseUrl = child.said;
    const ask: Post = (path, headers, body) => post(baseUrl + path, agent, headers, body);
    const buyer = new Buyer(ask, await tokenAt(baseUrl));
    const fillTo = async (size: number) => {
      await child.ask(size);
    };
    const cpu = () => child.ask<number>(0);
    return await measureSandbox({ buyer, fillTo, cpu }, plan);
  } finally {
    agent.destroy();
    await child.stop();
  }
}

import { createClient } from "redis";
import { type RedisServer, startRedis } from "./redis-server.ts";
import { freePort } from "./running.ts";

/** A Redis cluster of three masters. */
export interface RedisCluster {
  readonly ports: readonly number[];
  readonly stop: () => Promise<void>;
}

const SLOTS = 16_384;
const NODES = 3;

export async function startRedisCluster(): Promise<RedisCluster> {
  const nodes: RedisServer[] = [];
  const stop = async () => void (await Promise.all(nodes.map((node) => node.stop())));
  try {
    for (let at = 0; at < NODES; at += 1) {
      const busPort = String(await freePort());
      nodes.push(await startRedis("--cluster-enabled", "yes", "--cluster-port", busPort));
      await sendCommands(
        nodes[at],
        ["CLUSTER", "ADDSLOTSRANGE", ...slotsOf(at)],
        ["CLUSTER", "SET-CONFIG-EPOCH", `${at + 1}`],
      );
      if (at > 0)
        await sendCommands(nodes[0], ["CLUSTER", "MEET", "127.0.0.1", String(nodes[at]?.port), busPort]);
    }
    for (const node of nodes) await waitUntilJoined(node);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ports: nodes.map(({ port }) => port), stop };
}

function slotsOf(at: number): readonly [string, string] {
  const from = (part: number) => Math.floor((part * SLOTS) / NODES);
  return [String(from(at)), String(from(at + 1) - 1)];
}

async function sendCommands(
  node: RedisServer | undefined,
  ...commands: readonly string[][]
): Promise<readonly unknown[]> {
  const client = createClient({ socket: { path: node?.path ?? "", tls: false } });
  await client.connect();
  try {
    const replies: unknown[] = [];
    for (const command of commands) replies.push(await client.sendCommand(command));
    return replies;
  } finally {
    client.destroy();
  }
}

/** The nodes find each other by gossip, which takes about a second. */
async function waitUntilJoined(node: RedisServer): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (performance.now() < deadline) {
    const [info] = await sendCommands(node, ["CLUSTER", "INFO"]);
    if (/cluster_state:ok/.test(String(info)) && /cluster_size:3/.test(String(info))) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("The nodes of the Redis cluster did not find each other.");
}

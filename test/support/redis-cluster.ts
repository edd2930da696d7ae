import { vi } from "vitest";
import { type RedisServer, startRedis } from "./redis-server.ts";
import { freePort, tool } from "./running.ts";

/** A Redis cluster of three masters. */
export interface RedisCluster {
  readonly ports: readonly number[];
  readonly stop: () => Promise<void>;
}

async function redisCli(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await tool("redis-cli", args);
  if (code !== 0) throw new Error(`redis-cli ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

/** Another process can take a port between the moment when it was found to be free and the start of Redis. */
async function startNode(attempts = 5): Promise<RedisServer> {
  try {
    return await startRedis("--cluster-enabled", "yes", "--cluster-port", String(await freePort()));
  } catch (error) {
    if (attempts === 1) throw error;
    return startNode(attempts - 1);
  }
}

export async function startRedisCluster(): Promise<RedisCluster> {
  const nodes = await Promise.all([startNode(), startNode(), startNode()]);
  const ports = nodes.map(({ port }) => port);
  const stop = async () => void (await Promise.all(nodes.map((node) => node.stop())));
  try {
    const addresses = ports.map((port) => `127.0.0.1:${port}`);
    await redisCli("--cluster", "create", ...addresses, "--cluster-yes");
    const isReady = async (port: number) =>
      (await redisCli("-p", `${port}`, "cluster", "info")).includes(":ok");
    const areReady = async () => (await Promise.all(ports.map(isReady))).every(Boolean);
    await vi.waitUntil(areReady, { timeout: 15_000 });
  } catch (error) {
    await stop();
    throw error;
  }
  return { ports, stop };
}

import type { nodeRedis } from "./clients.ts";

type Client = Awaited<ReturnType<typeof nodeRedis>>;

/** Names of the keys that match a pattern. */
export async function keysIn(client: Client, pattern = "*"): Promise<readonly string[]> {
  return (await client.keys(pattern)).sort();
}

/** Keys and values, as text. */
export async function everythingIn(client: Client, pattern = "*"): Promise<string> {
  const keys = await keysIn(client, pattern);
  const lines = await Promise.all(keys.map(async (key) => `${key} ${await client.get(key)}`));
  return lines.join("\n");
}

import { env } from "node:process";
import { startSandbox } from "payments-sdk/sandbox/server";

/** The service that an example calls. */
export interface Service {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly publicKey: string;
  close(): Promise<void>;
}

/** The service in the environment variables, or `undefined`. Throws if only some of them are set. */
function namedService(): Service | undefined {
  const names = ["PAYMENTS_BASE_URL", "PAYMENTS_SECRET_KEY", "PAYMENTS_PUBLIC_KEY"] as const;
  const [baseUrl, secretKey, publicKey] = names.map((name) => env[name]);
  if (!baseUrl && !secretKey && !publicKey) return undefined;
  if (!baseUrl || !secretKey || !publicKey) throw new Error(`Set all of ${names.join(", ")}, or none.`);
  return { baseUrl, secretKey, publicKey, close: async () => undefined };
}

/** The service in the environment variables, or a new sandbox. */
export async function connect(): Promise<Service> {
  const named = namedService();
  if (named) return named;
  const sandbox = await startSandbox();
  const { baseUrl, secretKey, publicKey } = sandbox;
  return { baseUrl, secretKey, publicKey, close: () => sandbox.close() };
}

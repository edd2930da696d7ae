import { env } from "node:process";
import { type Sandbox, type SandboxOptions, startSandbox } from "payments-sdk/sandbox/server";

/** The service that an example calls. */
export interface Service {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly publicKey: string;
  /** Missing if the environment names the service. */
  readonly sandbox?: Sandbox;
  close(): Promise<void>;
}

/** The service that the environment names, or `undefined`. A part of the names is an error, not a sandbox. */
function namedService(): Service | undefined {
  const names = ["PAYMENTS_BASE_URL", "PAYMENTS_SECRET_KEY", "PAYMENTS_PUBLIC_KEY"] as const;
  const [baseUrl, secretKey, publicKey] = names.map((name) => env[name]);
  if (!baseUrl && !secretKey && !publicKey) return undefined;
  if (!baseUrl || !secretKey || !publicKey) throw new Error(`Set all of ${names.join(", ")}, or none.`);
  return { baseUrl, secretKey, publicKey, close: async () => undefined };
}

/** The service that the environment names, or an embedded sandbox that ends with the example. */
export async function connect(options?: SandboxOptions): Promise<Service> {
  const named = namedService();
  if (named) return named;
  const sandbox = await startSandbox(options);
  const { baseUrl, secretKey, publicKey } = sandbox;
  return { baseUrl, secretKey, publicKey, sandbox, close: () => sandbox.close() };
}

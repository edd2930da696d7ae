import { env, stdin, stdout } from "node:process";
import { createInterface } from "node:readline/promises";
import { SANDBOX_SECRET_KEY } from "payments-sdk/sandbox";
import { startSandbox } from "payments-sdk/sandbox/server";

/** The service that an example talks to. */
export interface Service {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly publicKey: string;
  /** Where it may post changes of status to. */
  readonly postbackUrl: string;
  /** Whether it ends with the example. */
  readonly embedded: boolean;
  /** What the user should know about the choice of service. */
  readonly notices: readonly string[];
  close(): Promise<void>;
}

const VARIABLES = ["PAYMENTS_BASE_URL", "PAYMENTS_SECRET_KEY", "PAYMENTS_PUBLIC_KEY"] as const;

/** The service that the environment names with all three variables; else the embedded sandbox. */
export async function connect(): Promise<Service> {
  const [baseUrl, secretKey, publicKey] = VARIABLES.map((name) => env[name]);
  if (baseUrl && secretKey && publicKey) {
    const postbackUrl =
      secretKey === SANDBOX_SECRET_KEY ? inboxOf(baseUrl) : "https://shop.example.com/postbacks";
    const service = { baseUrl, secretKey, publicKey, postbackUrl };
    return { ...service, embedded: false, notices: [], close: async () => undefined };
  }
  const missing = VARIABLES.filter((name) => !env[name]);
  const some = missing.length < VARIABLES.length;
  const notices = some ? [`Not set: ${missing.join(", ")}. Using the embedded sandbox.`] : [];
  const sandbox = await startSandbox();
  const postbackUrl = inboxOf(sandbox.baseUrl);
  return { ...sandbox, postbackUrl, embedded: true, notices, close: () => sandbox.close() };
}

/** The sandbox takes postbacks itself, for those who have no receiver yet. */
function inboxOf(baseUrl: string): string {
  return `${baseUrl}/sandbox/inbox`;
}

/** Asks before somebody may be charged. Without a terminal nobody can answer, so the answer is no. */
export async function mayCharge(service: Service, what: string): Promise<boolean> {
  if (service.secretKey === SANDBOX_SECRET_KEY) return true; // opens nothing but sandboxes
  if (!stdin.isTTY) {
    console.log("\nThis is not the sandbox, and there is no terminal at which to ask.");
    return false;
  }
  const terminal = createInterface({ input: stdin, output: stdout });
  try {
    const answer = await terminal.question(`\n${what}\nThis is not the sandbox. Type "yes" to go on: `);
    return answer.trim().toLowerCase() === "yes";
  } catch {
    return false; // Ctrl+C or Ctrl+D
  } finally {
    terminal.close();
  }
}

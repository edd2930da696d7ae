import { env, stdin, stdout } from "node:process";
import { createInterface } from "node:readline/promises";
import { SANDBOX_SECRET_KEY } from "payments-sdk/sandbox";
import { startSandbox } from "payments-sdk/sandbox/server";

/** The service that an example talks to. */
export interface Service {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly publicKey: string;
  /** Whether it takes no money, and a buyer can be played. */
  readonly isSandbox: boolean;
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
    const isSandbox = secretKey === SANDBOX_SECRET_KEY; // opens nothing but sandboxes
    const service = { baseUrl, secretKey, publicKey, isSandbox };
    return { ...service, embedded: false, notices: [], close: async () => undefined };
  }
  const missing = VARIABLES.filter((name) => !env[name]);
  const some = missing.length < VARIABLES.length;
  const notices = some ? [`Not set: ${missing.join(", ")}. Using the embedded sandbox.`] : [];
  const sandbox = await startSandbox();
  return { ...sandbox, isSandbox: true, embedded: true, notices, close: () => sandbox.close() };
}

/** Pays in the sandbox, as a buyer would with the app of a bank. */
export async function payInSandbox({ baseUrl }: Service, transactionId: number): Promise<void> {
  const paid = await fetch(`${baseUrl}/sandbox/transactions/${transactionId}/pay`, { method: "POST" });
  if (!paid.ok) throw new Error(`The sandbox answered ${paid.status} to the payment.`);
}

/** Asks before somebody may be charged. Without a terminal nobody can answer, so the answer is no. */
export async function mayCharge(service: Service, what: string): Promise<boolean> {
  if (service.isSandbox) return true;
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

import { env, stdin, stdout } from "node:process";
import { type Gateway, SANDBOX_SECRET_KEY } from "payments-sdk/sandbox";
import { type SandboxOptions, startSandbox } from "payments-sdk/sandbox/server";
import { askForYes } from "./ask.ts";
import { check, Failure } from "./failure.ts";

/** The service that an example talks to. */
export interface Service {
  readonly baseUrl: string;
  /** Empty where it is not set, and the example does not need it. */
  readonly secretKey: string;
  /** Empty where it is not set, and the example does not need it. */
  readonly publicKey: string;
  /** Whether it takes no money, and a buyer can be played. */
  readonly isSandbox: boolean;
  /** Of the embedded sandbox, which ends with the example. */
  readonly gateway?: Gateway;
  close(): Promise<void>;
}

export const VARIABLES = ["PAYMENTS_BASE_URL", "PAYMENTS_SECRET_KEY", "PAYMENTS_PUBLIC_KEY"] as const;

export type Variable = (typeof VARIABLES)[number];

/**
 * The service that the environment names; `undefined` where it names none.
 *
 * @param needs - What the example cannot do without. Default: all three variables.
 * @throws {UsageError} where something is named, and not all that is needed: whoever means a service must not be
 * answered by a sandbox.
 */
export function namedService(needs: readonly Variable[] = VARIABLES): Service | undefined {
  const [baseUrl = "", secretKey = "", publicKey = ""] = VARIABLES.map((name) => env[name]);
  if (!baseUrl && !secretKey && !publicKey) return undefined;
  const missing = needs.filter((name) => !env[name]);
  check(missing.length === 0, `Not set: ${missing.join(", ")}. Set what names the service, or none of it.`);
  const isSandbox = secretKey === SANDBOX_SECRET_KEY; // opens nothing but sandboxes
  return { baseUrl, secretKey, publicKey, isSandbox, close: async () => undefined };
}

/** The service that the environment names; else the embedded sandbox, made with the options. */
export async function connect(needs: readonly Variable[], options?: SandboxOptions): Promise<Service> {
  const named = namedService(needs);
  if (named) return named;
  const sandbox = await startSandbox(options);
  return { ...sandbox, isSandbox: true, close: () => sandbox.close() };
}

/** Pays in the sandbox, as a buyer would with the app of a bank. */
export async function payInSandbox({ baseUrl }: Service, transactionId: number): Promise<void> {
  const paid = await fetch(`${baseUrl}/sandbox/transactions/${transactionId}/pay`, { method: "POST" });
  if (!paid.ok) throw new Failure(`The sandbox answered ${paid.status} to the payment.`);
}

/**
 * Asks before somebody may be charged.
 *
 * @throws {Failure} where nobody can answer: without a terminal, and where nothing but JSON may be printed.
 */
export async function askWhetherToCharge(question: string, isJson: boolean): Promise<boolean> {
  if (isJson || !stdin.isTTY || !stdout.isTTY) {
    throw new Failure(
      "Nothing was charged: this is not the sandbox, and nobody can be asked here. --yes goes on without asking.",
    );
  }
  const asked = `\n${question}\nThis is not the sandbox. Type "yes" to go on: `;
  return askForYes(asked, { input: stdin, output: stdout });
}

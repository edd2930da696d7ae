import type { TestProject } from "vitest/node";
import { startSandbox } from "../../../src/sandbox/server/start-sandbox.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The sandbox over HTTP. CORS allows pages to tokenize only. */
    sandbox: { readonly baseUrl: string; readonly secretKey: string; readonly publicKey: string };
  }
}

/** Starts the sandbox that the pages call, because a page cannot start one. */
export default async function servers(project: TestProject): Promise<() => Promise<void>> {
  const sandbox = await startSandbox();
  const { baseUrl, secretKey, publicKey } = sandbox;
  project.provide("sandbox", { baseUrl, secretKey, publicKey });
  return () => sandbox.close();
}

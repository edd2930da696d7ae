import { script } from "./running.ts";

/** Builds the package once for all tests of the shipped files. `npm test` has built it already. */
export default async function build(): Promise<void> {
  if (process.env["PAYMENTS_SDK_BUILT"] !== undefined) return;
  process.env["PAYMENTS_SDK_BUILT"] = "1"; // each project of Vitest calls this
  const { code, stdout, stderr } = await script("build");
  if (code !== 0) throw new Error(stdout + stderr);
}

/**
 * A checkout page with the elements, its server, and a sandbox.
 *
 *   npm run example checkout
 *
 * The page has the script and the styles of docs/elements.md, bundled, and the server is docs/samples/checkout-server.mjs.
 * PORT is the port of the shop (default: 3000).
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process, { env } from "node:process";
import { build } from "esbuild";
import { startSandbox } from "payments-sdk/sandbox/server";

const samples = join(import.meta.dirname, "../docs/samples");
const folder = mkdtempSync(join(tmpdir(), "checkout-"));
const sandbox = await startSandbox();
const { baseUrl, publicKey } = sandbox;

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Checkout</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/checkout.css">
<script src="/checkout.js" defer></script>
<main>
  <h1>Checkout</h1>
<form method="post">
  <payment-card-form base-url="${baseUrl}" public-key="${publicKey}" name="token"></payment-card-form>
  <button>Pay R$19.90</button>
</form>
<p id="message" role="status"></p>
<payment-pix amount="1990" hidden></payment-pix>
<button id="pay-with-pix">Pay with pix</button>`;

/** What the page loads, as a bundler of a shop imports it. */
const imports = [
  "./checkout.css",
  "payments-sdk/elements.css",
  "payments-sdk/elements-brands.css",
  "payments-sdk/elements",
  "./checkout.js",
];

writeFileSync(join(folder, "index.html"), page);
await build({
  stdin: { contents: imports.map((file) => `import "${file}";`).join("\n"), resolveDir: samples },
  outfile: join(folder, "checkout.js"), // and checkout.css
  bundle: true,
  minify: true,
  ignoreAnnotations: true, // the package marks its samples as free of side effects
});

console.log(`Dashboard    ${baseUrl} (pay a pix here)`);
console.log(
  "Cards        4111 1111 1111 1111 approved, 4000 0000 0000 9995 refused, 4000 0000 0000 9235 pending, with any future date and any code",
);
console.log("Press Ctrl-C to stop. The shop has one order: start it again for another one.");
process.stdout.write("Shop         "); // the server prints its address

const server = spawn(process.execPath, [join(samples, "checkout-server.mjs"), folder], {
  env: { ...env, PAYMENTS_BASE_URL: baseUrl },
  stdio: "inherit",
});
const stop = () => server.kill();
process.once("SIGINT", stop).once("SIGTERM", stop);
const [code] = await once(server, "exit");
await sandbox.close();
rmSync(folder, { recursive: true });
process.exitCode = code ?? 0; // `null`: it was stopped

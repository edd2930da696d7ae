/**
 * The health of the service, and which environment it is.
 *
 *   npm run example status
 *   npm run example status -- --expect production
 */
import { PaymentsClient, type ServiceStatus } from "payments-sdk";
import { example } from "./support/example.ts";
import { choice } from "./support/flags.ts";
import { row, statusText, table } from "./support/terminal.ts";

await example({
  name: "status",
  summary: "The health of the service, and which environment it is.",
  flags: {
    expect: choice(
      "<environment>",
      ["production", "sandbox"],
      "fails where the service is another: production or sandbox",
    ),
  },
  needs: ["PAYMENTS_BASE_URL"],
  notes: "The service lets each IP ask 60 times a minute, and 300 times an hour.",
  async run({ flags, connect, tell }) {
    const { baseUrl } = await connect();
    const payments = new PaymentsClient({ baseUrl }); // this call needs no keys

    if (flags.expect !== undefined) await payments.status.assertEnvironment(flags.expect);
    const health = await payments.status.retrieve();

    tell(health, show);
  },
});

function show({ status, environment, version, timestamp, services, latency }: ServiceStatus): void {
  row("Status", statusText(status));
  row("Environment", environment ?? "unknown");
  row("Version", version ?? "unknown");
  row("Checked", timestamp ?? "unknown");
  console.log();
  const parts = ["gateway", "database", "tokenizer", "notifications"] as const;
  table(
    ["part", "status", "latency"],
    parts.map((part) => [part, statusText(services[part]), inMilliseconds(latency[part])]),
    [2],
  );
}

function inMilliseconds(latency: number | undefined): string {
  return latency === undefined ? "unknown" : `${latency} ms`;
}

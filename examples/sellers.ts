/**
 * The sellers of the account, newest first.
 *
 *   npm run example sellers
 */
import { PaymentsClient } from "payments-sdk";
import { example } from "./support/example.ts";
import { text } from "./support/flags.ts";
import { statusText, table } from "./support/terminal.ts";

await example({
  name: "sellers",
  summary: "The sellers of the account, newest first. The service gives 100 at most, and no further page.",
  flags: {
    "sellers-path": text("<path>", "where they are; the specification does not show it (default: /sellers)"),
  },
  async run({ flags, connect, tell }) {
    const { baseUrl, secretKey, publicKey } = await connect();
    const payments = new PaymentsClient({
      baseUrl,
      secretKey,
      publicKey,
      sellersPath: flags["sellers-path"],
    });

    const sellers = await payments.sellers.list();

    tell(sellers, () => {
      console.log();
      table(
        ["id", "name", "document", "status"],
        sellers.map(({ id, name = "", document = "", status }) => [id, name, document, statusText(status)]),
      );
    });
  },
});

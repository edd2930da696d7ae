import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startServer } from "../support/http-server.ts";
import { tool } from "../support/running.ts";

const repeatingFetch = fileURLToPath(new URL("support/repeating-fetch.ts", import.meta.url));
const refusedCreate = fileURLToPath(new URL("support/prints-outcome.ts", import.meta.url));

/** To a package that is loaded later, its fetch looks like the platform's. */
test("a create call with a fetch that was replaced before the package was loaded is unknown, never not_sent", async () => {
  const { baseUrl, arrivals } = await startServer(async ({ request, response, requestRead }) => {
    await requestRead;
    const { server } = request.socket as unknown as { server: import("node:http").Server };
    server.close();
    response.writeHead(421, { connection: "close" }).end();
  });

  const { stdout } = await tool(process.execPath, [`--import=${repeatingFetch}`, refusedCreate, baseUrl]);

  expect(stdout.trim()).toBe("unknown");
  expect(arrivals.length).toBeGreaterThan(0);
});

import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PaymentsStore } from "payments-sdk/idempotency";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { collect } from "../../../src/testing/stores/fixtures.ts";
import { describeStore } from "../../idempotency/support/databases.ts";
import { attempt, by, NOT_CREATED, UNKNOWN } from "../../idempotency/support/orders.ts";
import { root } from "../../support/running.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { npmInstall, succeed } from "../support/consumer.ts";

/** The samples of docs/other-databases.md, with the packages that it names. No DynamoDB runs here: only an emulator. */

const PACKAGES = ["@libsql/client@0.18.0", "@aws-sdk/client-dynamodb@3.1169.0", "dynalite@4.0.0"];

/** Types of the libraries, which the project does not have. */
type Client = { close(): void; execute(statement: { sql: string; args: unknown[] }): Promise<unknown> };
interface Libsql {
  openClient(url: string): Client;
  libsqlStore(client: Client): Promise<PaymentsStore>;
}
interface Dynamo {
  dynamoStore(client: unknown, table: string): PaymentsStore;
}

describe(PACKAGES.join(" "), () => {
  const folder = mkdtempSync(join(tmpdir(), "payments-sdk-databases-"));
  let libsql: Libsql;
  let dynamo: Dynamo;

  beforeAll(async () => {
    await npmInstall(folder, ...PACKAGES);
    for (const file of ["libsql-store.ts", "dynamo-store.ts"])
      copyFileSync(join(root, "docs/samples", file), join(folder, file));
    libsql = await import(join(folder, "libsql-store.ts"));
    dynamo = await import(join(folder, "dynamo-store.ts"));
    return () => rmSync(folder, { recursive: true });
  }, 300_000);

  test("the code compiles with the types of the libraries", async () => {
    const settings = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: {
        ...{ rootDir: "/", types: ["node"], typeRoots: [join(root, "node_modules/@types")] },
        paths: { "payments-sdk/*": [join(root, "dist/*.d.ts")] },
      },
      include: ["*.ts"],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));

    await succeed("npx", ["tsc", "-p", folder], root);
  });

  describeStore(
    "libsqlStore",
    async () => {
      const client = libsql.openClient(`file:${join(temporaryFolder(), "store.db")}`);
      onTestFinished(() => client.close());
      const sql = "UPDATE payments_documents SET changed_at = changed_at - ?";
      return {
        store: () => libsql.libsqlStore(client),
        advance: async (ms) => void (await client.execute({ sql, args: [ms] })),
      };
    },
    { hasNamespaces: false },
  );

  test("an empty reference is listed by libsqlStore", async () => {
    const client = libsql.openClient(`file:${join(temporaryFolder(), "store.db")}`);
    onTestFinished(() => client.close());
    const store = await libsql.libsqlStore(client);
    await attempt(store, UNKNOWN, by("a", ""));

    expect(await collect(store.list())).toMatchObject([{ externalRef: "" }]);
  });

  describe("with dynalite", () => {
    // biome-ignore lint/suspicious/noExplicitAny: the types of the library are not installed
    let client: any;
    let tables = 0;
    const load = createRequire(join(folder, "package.json"));

    beforeAll(async () => {
      const server = load("dynalite")({ createTableMs: 0 });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const { DynamoDBClient } = load("@aws-sdk/client-dynamodb");
      client = new DynamoDBClient({
        endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        region: "sa-east-1",
        credentials: { accessKeyId: "test", secretAccessKey: "test" },
      });
      return () => {
        client.destroy();
        server.close();
      };
    });

    async function createTable(): Promise<string> {
      const { CreateTableCommand, waitUntilTableExists } = load("@aws-sdk/client-dynamodb");
      const toKey = (name: string) => [{ AttributeName: name, KeyType: "HASH" }];
      const TableName = `payments-${tables++}`;
      await client.send(
        new CreateTableCommand({
          TableName,
          BillingMode: "PAY_PER_REQUEST",
          AttributeDefinitions: ["id", "open"].map((name) => ({ AttributeName: name, AttributeType: "S" })),
          KeySchema: toKey("id"),
          GlobalSecondaryIndexes: [
            { IndexName: "open", KeySchema: toKey("open"), Projection: { ProjectionType: "ALL" } },
          ],
        }),
      );
      await waitUntilTableExists({ client, minDelay: 0.01, maxDelay: 0.05, maxWaitTime: 30 }, { TableName });
      return TableName;
    }

    describeStore(
      "dynamoStore",
      async () => {
        const table = await createTable();
        return { store: () => dynamo.dynamoStore(client, table) };
      },
      { hasNamespaces: false },
    );

    test("DynamoDB may delete orders that have ended, after 400 days, and no others", async () => {
      const { ScanCommand } = load("@aws-sdk/client-dynamodb");
      const table = await createTable();
      const store = dynamo.dynamoStore(client, table);
      await attempt(store, UNKNOWN, by("a", "unknown"));
      await attempt(store, NOT_CREATED, by("a", "ended"));

      const { Items } = await client.send(new ScanCommand({ TableName: table }));

      const expiries = Items.map(({ id, open, expiresAt }: Record<string, { S: string; N: string }>) => {
        const days = expiresAt && Math.round((Number(expiresAt.N) - Date.now() / 1000) / 86_400);
        return [id?.S, open?.S, days];
      });
      expect(expiries.toSorted()).toEqual([
        ["order:ended", undefined, 400],
        ["order:unknown", "order:unknown", undefined],
      ]);
    });
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { type PostgresClient, postgresStore } from "payments-sdk/idempotency";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { describeStore, postgresAt, RETENTION_DAYS } from "../../idempotency/support/databases.ts";
import { attempt, by, LEASE, NOT_CREATED, ORDER, stateOf } from "../../idempotency/support/orders.ts";
import { type PostgresServer, startPostgres } from "../../support/postgres-server.ts";
import { freePort, root } from "../../support/running.ts";
import { type SilentProxy, startSilentProxy } from "../../support/silent-proxy.ts";
import { npmInstall, succeed } from "../support/consumer.ts";
import { withMatrix } from "../support/matrix.ts";
import { expectRecovery } from "./lost-connections.ts";
import { codeOf, importCode } from "./page-code.ts";

/** The code of docs/orms.md, with a real PostgreSQL, and in the matrix with the packages that it names. */

const PACKAGES = [
  ...["pg@8.23.1", "typeorm@1.1.1", "sequelize@6.37.8", "knex@3.3.0", "kysely@0.29.9"],
  ...["prisma@7.10.0", "@prisma/client@7.10.0", "@prisma/adapter-pg@7.10.0"],
];

/** Prisma generates its client from it. */
const PRISMA_SCHEMA = `
generator client {
  provider = "prisma-client"
  output   = "./generated/prisma"
}
datasource db {
  provider = "postgresql"
}
model Order {
  id String @id
}
`;

/** What the code of a section exports. `client` is what it passes to the store. */
// biome-ignore lint/suspicious/noExplicitAny: the types of most libraries are not installed
type Section = { readonly client: PostgresClient } & Readonly<Record<string, any>>;
type Library = "Drizzle" | "TypeORM" | "Sequelize" | "Knex" | "Prisma";

const sections = {} as Record<Library, Section>;
let server: PostgresServer;
/** Of the server, and of a proxy to it, which the libraries use. */
let serverUrl: string;
let url: string;
let proxy: SilentProxy;
let folder: string;

beforeAll(async () => {
  const port = await freePort();
  server = await startPostgres({ listen_addresses: "127.0.0.1", port: String(port) });
  proxy = await startSilentProxy(port);
  const toUrl = (ofPort: number) => `postgres://postgres@127.0.0.1:${ofPort}/postgres`;
  [serverUrl, url] = [toUrl(port), toUrl(proxy.port)];
  folder = mkdtempSync(join(tmpdir(), "payments-sdk-orms-"));
}, 60_000);
afterAll(async () => {
  proxy.stop();
  await server.stop();
  rmSync(folder, { recursive: true });
});

async function install(): Promise<void> {
  writeFileSync(join(folder, "schema.prisma"), PRISMA_SCHEMA);
  await npmInstall(folder, "--ignore-scripts", ...PACKAGES);
  // Prisma downloads it otherwise. Only its migrations use it.
  vi.stubEnv("PRISMA_SCHEMA_ENGINE_BINARY", process.execPath);
  await succeed("npx", ["prisma", "generate"], folder);
}

/** Runs the code of a section, and creates the tables through its client. */
async function open(name: Library, from: string): Promise<Section> {
  vi.stubEnv("DATABASE_URL", url);
  const code = codeOf("orms", name)
    .replace("const store = postgresStore(", "const client = (")
    .replace("maxLifetimeSeconds: 60", "maxLifetimeSeconds: 6");
  const section = await importCode<Section>(code, from, name);
  const admin = new Client(serverUrl);
  await admin.connect();
  await admin.query("DROP TABLE IF EXISTS payments_orders, payments_postbacks");
  await admin.end();
  await postgresStore(section.client).migrate();
  sections[name] = section;
  return section;
}

function describeClient(name: string, client: () => PostgresClient): void {
  const connectAdmin = async () => {
    const admin = new Client(serverUrl);
    await admin.connect();
    onTestFinished(() => admin.end());
    return admin;
  };
  describe("alone in the database", () => {
    // Old rows of large tables are deleted over hours, and the tests wait for seconds.
    beforeAll(async () => {
      const admin = new Client(serverUrl);
      await admin.connect();
      await postgresStore(admin).migrate();
      await admin.query("TRUNCATE payments_orders, payments_postbacks");
      await admin.end();
    });
    describeStore(name, () => postgresAt(connectAdmin, async () => client()), {
      retentionDays: RETENTION_DAYS,
    });
  });
}

function testRecovery(name: Library): void {
  test(`${name} survives connections that are ended or silent`, async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const admin = new Client(serverUrl);
    await admin.connect();
    onTestFinished(() => admin.end());
    const others = "usename IS NOT NULL AND pid <> pg_backend_pid()";

    await expectRecovery(postgresStore(sections[name].client), proxy, () =>
      admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`),
    );
  }, 60_000);
}

/** Claims an order in a transaction that is then rolled back. */
async function claimAndRollBack(
  store: ReturnType<typeof postgresStore>,
  externalRef: string,
  transaction: (work: () => Promise<never>) => Promise<unknown>,
): Promise<void> {
  const rolledBack = transaction(async () => {
    await store.claim({ ...ORDER, externalRef }, LEASE);
    throw new Error("rolled back");
  });
  await expect(rolledBack).rejects.toThrow("rolled back");
}

describe("Drizzle", () => {
  beforeAll(async () => {
    const { db } = await open("Drizzle", join(root, "reports/database-pages"));
    return () => db.$client.end();
  });

  test("with its pool, a claim outlives a transaction that is rolled back", async () => {
    const { client } = sections.Drizzle;
    const db: NodePgDatabase = sections.Drizzle["db"];
    const store = postgresStore(client);

    await claimAndRollBack(store, "with Drizzle", (work) => db.transaction(work));

    expect(await store.get("with Drizzle")).toMatchObject({ state: "claimed" });
  });

  testRecovery("Drizzle");

  test("its own object is refused", () => {
    expect(() => postgresStore(sections.Drizzle["db"])).toThrow("client must be a pool or client of pg");
  });
});

describe.each(withMatrix([], [PACKAGES.join(" ")]))("%s", () => {
  beforeAll(async () => {
    await install();
    for (const name of ["TypeORM", "Sequelize", "Knex", "Prisma"] as const) await open(name, folder);
    const { TypeORM, Sequelize, Knex, Prisma } = sections;
    return async () => {
      await Promise.all([
        TypeORM["database"].destroy(),
        Sequelize["sequelize"].close(),
        Knex["knex"].destroy(),
      ]);
      await Prisma["pool"].end();
    };
  }, 300_000);

  describeClient("the DataSource of TypeORM", () => sections.TypeORM.client);
  describeClient("an EntityManager of TypeORM", () => sections.TypeORM["database"].manager);
  describeClient("a QueryRunner of TypeORM", () => {
    const runner = sections.TypeORM["database"].createQueryRunner();
    onTestFinished(() => runner.release());
    return runner;
  });
  describeClient("the raw query of Sequelize", () => sections.Sequelize.client);
  describeClient("the raw query of Knex", () => sections.Knex.client);
  describeClient("the pool of Prisma", () => sections.Prisma.client);

  for (const name of ["TypeORM", "Sequelize", "Knex", "Prisma"] as const) testRecovery(name);

  test("a claim in a transaction of TypeORM is refused", async () => {
    const { client, database } = sections.TypeORM;
    await attempt(postgresStore(client), NOT_CREATED);
    const runner = database.createQueryRunner();
    onTestFinished(() => runner.release());
    await runner.startTransaction();

    const claim = postgresStore(runner).claim(by("b"), LEASE);
    await expect(claim).rejects.toThrow("open transaction");
    await runner.rollbackTransaction();
    const claimOfManager = database.transaction((manager: PostgresClient) =>
      postgresStore(manager).claim(by("c"), LEASE),
    );
    await expect(claimOfManager).rejects.toThrow("open transaction");

    expect(await stateOf(postgresStore(client))).toBe("free");
  });

  test("with the pool of Prisma, a claim outlives a transaction that is rolled back", async () => {
    const { client, prisma } = sections.Prisma;
    const store = postgresStore(client);

    await claimAndRollBack(store, "with Prisma", (work) =>
      prisma.$transaction(async (transaction: Section) => {
        await transaction["$queryRawUnsafe"]("SELECT 1");
        await work();
      }),
    );

    expect(await store.get("with Prisma")).toMatchObject({ state: "claimed" });
  });

  test("the objects of the other libraries are refused with the fix", async () => {
    const { Sequelize, Knex, Prisma } = sections;
    const { Kysely, PostgresDialect } = createRequire(join(folder, "package.json"))("kysely");
    const kysely = new Kysely({ dialect: new PostgresDialect({ pool: Prisma["pool"] }) });
    const fix = "client must be a pool or client of pg";

    for (const object of [Knex["knex"], kysely, Prisma["prisma"]]) {
      expect(() => postgresStore(object)).toThrow(fix);
    }
    await expect(postgresStore(Sequelize["sequelize"]).migrate()).rejects.toThrow(fix);
  });
});

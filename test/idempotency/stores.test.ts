import { describe } from "vitest";
import { missingMariadb } from "../support/mariadb-server.ts";
import { missingRedis } from "../support/redis-server.ts";
import { d1 } from "./support/d1.ts";
import {
  describeStore,
  memory,
  mysql,
  postgres,
  RETENTION_DAYS,
  redis,
  sqlite,
} from "./support/databases.ts";
import { nodeRedis } from "./support/redis.ts";

const retentionDays = RETENTION_DAYS;

describeStore("memoryStore", memory, { isShared: false, hasNamespaces: false });
describeStore("sqliteStore", sqlite, { retentionDays });
describeStore("d1Store over node:sqlite", d1, { retentionDays });
describeStore("postgresStore with pg", () => postgres((schema) => schema.pool()), { retentionDays });

describe.skipIf(missingRedis !== undefined)("in Redis", () => {
  describeStore("redisStore with node-redis", () => redis(nodeRedis), { retentionDays });
});

describe.skipIf(missingMariadb !== undefined)("in MariaDB", () => {
  describeStore("mysqlStore with a pool of mysql2", () => mysql((database) => database.pool()), {
    retentionDays,
  });
});

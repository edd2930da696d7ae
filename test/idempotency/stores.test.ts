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

const features = { retentionDays: RETENTION_DAYS, listsNamespaces: true };

describeStore("memoryStore", memory, { isShared: false, hasNamespaces: false });
describeStore("sqliteStore", sqlite, features);
describeStore("d1Store over node:sqlite", d1, features);
describeStore("postgresStore with pg", () => postgres((schema) => schema.pool()), features);

describe.skipIf(missingRedis !== undefined)("in Redis", () => {
  describeStore("redisStore with node-redis", () => redis(nodeRedis), features);
});

describe.skipIf(missingMariadb !== undefined)("in MariaDB", () => {
  describeStore("mysqlStore with a pool of mysql2", () => mysql((database) => database.pool()), features);
});

import { join } from "node:path";
import { root } from "../../support/running.ts";

// Its own test. It needs no Next.js, which is not installed: test/system/runtimes/next-app.test.ts builds and starts the app.
await import(join(root, "examples/next/shop.test.ts"));

import { Test } from "@nestjs/testing";
import { shopTests } from "payments-sdk/testing";
import { startShop } from "./adapter";
import type { Settings } from "./shop";
import { SETTINGS, ShopModule } from "./shop.module";

async function createApp(settings: Settings) {
  const testing = Test.createTestingModule({ imports: [ShopModule] })
    .overrideProvider(SETTINGS)
    .useValue(settings);
  const app = (await testing.compile()).createNestApplication();
  await app.init();
  return app.getHttpAdapter().getInstance();
}

const tests = shopTests({ start: (service) => startShop(service, createApp) });
for (const { name, run } of tests) test.concurrent(name, run);

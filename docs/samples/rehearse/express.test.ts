import { describe, test } from "node:test";
import express from "express";
import { shopTests } from "payments-sdk/testing";
import { startShop } from "./adapter.ts";
import { createShop, type Settings } from "./shop.ts";

function createApp(settings: Settings) {
  const { pay, show, postbacks } = createShop(settings);
  const app = express();
  app.all("/postbacks", postbacks.node);
  app.use(express.json());
  app.get("/orders/:id", async ({ params }, response) => void response.json(await show(params.id)));
  app.post("/orders/:id", async ({ params, body }, response) => {
    await pay(params.id, body.token);
    response.json(await show(params.id));
  });
  return app;
}

describe("my shop", { concurrency: 10 }, () => {
  const tests = shopTests({ start: (service) => startShop(service, createApp) });
  for (const { name, run } of tests) test(name, run);
});

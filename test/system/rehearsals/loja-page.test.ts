import { rmSync } from "node:fs";
import { type Shop, type ShopOrder, type ShopService, type ShopView, shopTests } from "payments-sdk/testing";
import { test, vi } from "vitest";
import { createLojaFolder } from "../docs/loja-folder.ts";
import { nextPort, startProgram } from "./support/program.ts";

vi.setConfig({ maxConcurrency: 8 }); // most of a test starts processes

/** What the page shows, by its id. */
const VIEWS: Readonly<Record<string, ShopView>> = {
  pix: "code",
  approved: "paid",
  free: "declined", // "nothing was charged: try another card"
  novo: "error",
};

/** An order costs what the URL says: no page links to such a URL. */
const withPrices = (code: string) =>
  code
    .replace('app.post("/", (_request,', 'app.post("/", (request,')
    .replace("criarPedido.run(ref, 1990)", "criarPedido.run(ref, request.query.valor)");

async function start(service: ShopService): Promise<Shop> {
  const folder = createLojaFolder(withPrices);
  const port = await nextPort();
  const open = () => startProgram(["loja.mjs"], service, { port, folder });
  let program = await open();
  let log = "";
  const orders = new Map<string, Promise<string>>();

  /** The URL of the page of a new order. */
  async function create({ amount }: ShopOrder): Promise<string> {
    const { url } = await fetch(`${program.url}/?valor=${amount}`, { method: "POST" });
    return url;
  }

  async function viewOf(request: Promise<Response>): Promise<ShopView> {
    const page = await request.catch(() => undefined);
    if (page === undefined) return "waiting"; // the browser shows that the connection failed
    const [, id] = /<body id="(\w+)"/.exec(await page.text()) ?? [];
    if (id === undefined) throw new Error(`The page has the status ${page.status}`);
    return VIEWS[id] ?? "waiting";
  }

  return {
    async pay(order) {
      const url = orders.get(order.id) ?? create(order);
      orders.set(order.id, url);
      const body = new URLSearchParams({ token: (await order.cardToken?.()) ?? "" });
      const action = order.method === "pix" ? "pix" : "cartao";
      return viewOf(fetch((await url) + action, { method: "POST", body }));
    },
    view: async (id) => viewOf(fetch((await orders.get(id)) ?? "")),
    async shipped(id) {
      const reference = (await orders.get(id))?.split("/").at(-2);
      return (log + program.stdout()).split(`Pedido ${reference} pago: pode enviar.`).length - 1;
    },
    async restart() {
      await program.stop();
      log += program.stdout();
      program = await open();
    },
    async stop() {
      await program.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

const tests = shopTests({ start, timeoutMs: 10_000 }).filter(
  ({ name }) => !/fails to record|work has failed/.test(name),
);

// The others do not apply: its work is one line in the log.
for (const { name, run } of tests) test.concurrent(name, run);

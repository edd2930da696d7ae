import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from "express";
import createFastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { memoryStore } from "payments-sdk/idempotency";
import { createPostbackHandler, createStatusHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import { type Sandbox, startSandbox } from "payments-sdk/sandbox/server";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { useBrowser, visit } from "../../support/browsing.ts";
import { listen, startServer } from "../../support/http-server.ts";
import { freePort, root, run } from "../../support/running.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { succeed } from "../support/consumer.ts";
import { missingNginx, nginx } from "../support/installed-nginx.ts";
import { filesIn } from "./documented-site.ts";

const PACKAGES = [
  ...["@fastify/helmet@13.2.0", "helmet@8.3.0", "morgan@1.12.1", "nestjs-pino@5.2.1", "pino-http@11.0.0"],
  ...["common", "core", "platform-express"].map((name) => `@nestjs/${name}@12.5.1`),
  ...["reflect-metadata@0.2.2", "rxjs@7.8.2", "@types/morgan@1.9.10"],
];

/** The service's address in the documentation. */
const DOCUMENTED = "http://127.0.0.1:4010";

/** Inside the package, so that code can import it, Express and Fastify by their names. */
const folder = join(root, "reports/logs-and-csp");
const load = createRequire(join(folder, "shop.js"));
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** Imports a file of the page. */
const documented = (file: string) => import(join(folder, `${file}.ts`));

/** As the page says where the options go. */
const USES = `
import createFastify from "fastify";
import { LoggerModule } from "nestjs-pino";
import { pinoHttp } from "pino-http";
import { logOptions } from "./log-options.ts";

export const uses = () => [
  pinoHttp(logOptions),
  createFastify({ logger: logOptions }),
  LoggerModule.forRoot({ pinoHttp: logOptions }), // it gives the options to pino-http
];
`;

const OPTIONS = {
  ...{ module: "nodenext", moduleResolution: "nodenext", target: "es2023", strict: true, noEmit: true },
  ...{ allowImportingTsExtensions: true, skipLibCheck: true, types: ["node"] },
};

let sandbox: Sandbox;

useBrowser();

beforeAll(async () => {
  sandbox = await startSandbox();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const options = ["--legacy-peer-deps", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  await succeed("npm", ["install", "--loglevel=error", ...options, ...PACKAGES], folder);
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: OPTIONS }));
  writeFileSync(join(folder, "uses.ts"), USES);
  const files = filesIn("logs-and-csp.md", sandbox.baseUrl);
  for (const [name, code] of files) writeFileSync(join(folder, name), code);
  return () => sandbox.close();
}, 120_000);

test("the recipes compile with strict settings", async () => {
  await succeed("tsc", ["-p", folder], root);
});

const signer = new PostbackUrlSigner({
  keys: [{ kid: "1", secret: "a secret of the tests, 32 bytes or more" }],
});

function createHandlers() {
  const store = memoryStore();
  const ignore = () => {};
  return {
    postbacks: createPostbackHandler({ signer, store, onPaid: ignore, onReview: ignore }).node,
    status: createStatusHandler({ signer, store }).node,
  };
}

/** The requests of the service, of a page and of an attacker. Returns the secrets that are found in a text. */
async function sendSecrets(shop: string): Promise<(text: string) => string[]> {
  const order = { externalRef: "order-1", amount: 1990 };
  const card = "eyJhbGciOiJIUzI1NiJ9.eyJjYXJkIjoiNDExMSJ9.c2lnbmF0dXJlIG9mIHRoZSB0b2tlbg";
  const postbackUrl = await signer.sign(`${shop}/postbacks`, order);
  const statusUrl = await signer.statusUrl(`${shop}/status`, order);
  const send = (url: string, body: string) =>
    fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  const pay = JSON.stringify({ token: card });
  const responses = [
    await send(postbackUrl, JSON.stringify({ id: 7, status: "approved", ...order })),
    await fetch(statusUrl),
    await send(`${shop}/pay`, pay),
    await send(`${shop}/pay`, pay.slice(0, -1)), // is not JSON
    await send(postbackUrl.replace("/postbacks", "/webhooks"), "{}"),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 404, 200, 400, 404]);
  const tokenOf = (url: string) => url.split("sig=")[1] ?? "";
  const secrets = { pbsig: tokenOf(postbackUrl), stsig: tokenOf(statusUrl), card };
  return (text) =>
    Object.entries(secrets).flatMap(([name, jwt]) =>
      jwt
        .split(".")
        .slice(1)
        .some((part) => text.includes(part))
        ? [name]
        : [],
    );
}

/** Starts a shop with a logger that writes to a stream. Its own code logs bodies and errors, as some shops do. */
type StartShop = (options: object, stream: { write: (line: string) => void }) => Promise<string>;

type Logged<Request> = Request & Partial<Pick<FastifyRequest, "log">>;

const pay: RequestHandler = ({ body, log }: Logged<Request>, response) => {
  log?.info({ body }, "pay");
  response.status(200).end();
};

const onError: ErrorRequestHandler = (error, { log }: Logged<Request>, response, _next) => {
  log?.error(error);
  response.status(error.status).end();
};

function startExpress(logs: RequestHandler): Promise<string> {
  const { postbacks, status } = createHandlers();
  const app = express().use(logs).all("/postbacks", postbacks).get("/status", status);
  app.post("/pay", express.json(), pay);
  return listen(createServer(app.use(onError)));
}

const withMorgan: StartShop = (_options, stream) => startExpress(load("morgan")("combined", { stream }));
const withPinoHttp: StartShop = (options, stream) => startExpress(load("pino-http")(options, stream));

function listenFastify(app: FastifyInstance): Promise<string> {
  onTestFinished(() => app.close());
  return app.listen({ host: "127.0.0.1", port: 0 });
}

const withFastify: StartShop = (options, stream) => {
  const { postbacks, status } = createHandlers();
  const app = createFastify({ logger: { ...options, stream } });
  app.all("/postbacks", (request, reply) => {
    reply.hijack();
    return postbacks(Object.assign(request.raw, { body: request.body }), reply.raw);
  });
  app.get("/status", (request, reply) => {
    reply.hijack();
    return status(request.raw, reply.raw);
  });
  app.post("/pay", (request, reply) => {
    request.log.info({ body: request.body }, "pay");
    return reply.send();
  });
  return listenFastify(app);
};

async function logOf(startShop: StartShop, options: object) {
  const lines: string[] = [];
  const secretsIn = await sendSecrets(await startShop(options, { write: (line) => void lines.push(line) }));
  const paths = ["/postbacks", "/status", "/pay", "/webhooks"];
  await expect.poll(() => paths.filter((path) => !lines.join("").includes(path))).toEqual([]);
  return { lines, secrets: secretsIn(lines.join("")) };
}

test("with the recipe for morgan, no line has a secret, which it has without", async () => {
  const { secrets } = await logOf(withMorgan, {});
  await documented("access-log");
  const recipe = await logOf(withMorgan, {});

  expect(secrets).toEqual(["pbsig", "stsig"]);
  expect(recipe.secrets).toEqual([]);
});

test.each<[string, StartShop]>([
  ["pino-http", withPinoHttp],
  ["Fastify", withFastify],
])(
  "with the recipe for %s, no line has a secret, which it has without, and each line is JSON",
  async (_name, startShop) => {
    const { logOptions } = await documented("log-options");

    const { secrets } = await logOf(startShop, {});
    const recipe = await logOf(startShop, logOptions);

    expect(secrets).toEqual(["pbsig", "stsig", "card"]);
    expect(recipe.secrets).toEqual([]);
    expect(recipe.lines.map((line) => JSON.parse(line).msg)).toContain("pay");
  },
);

test("the recipe for pino redacts a secret wherever it stands in a text", async () => {
  const { logOptions } = await documented("log-options");
  const lines: string[] = [];
  const log = load("pino")(logOptions, { write: (line: string) => void lines.push(line) });
  const befores = ["/login?next=%2Fstatus%3Fstsig%3D", "/login?state=%22", "the request:\n", "token_"];

  for (const before of befores)
    log.info({ text: `${before}eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl` });

  const texts = lines.map((line) => JSON.parse(line).text);
  expect(texts).toEqual(befores.map((before) => `${before}[redacted]`));
});

/** Starts nginx with the documented configuration, changed for a test, and files in a folder. */
async function startNginx(site: string, change: (config: string) => string) {
  const port = await freePort();
  const [, config = ""] = /^```nginx\n(.*?)^```$/ms.exec(read("docs/logs-and-csp.md")) ?? [];
  const http = change(config)
    .replace("listen 80;", `listen 127.0.0.1:${port};`)
    .replace("/var/log/nginx", site)
    .replace("/srv/shop", site);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  writeFileSync(
    join(site, "nginx.conf"),
    `${process.getuid?.() === 0 ? "user root;" : ""} # otherwise its workers cannot read the folder
    daemon off; pid ${site}/nginx.pid; error_log ${site}/error.log; events {}
    http {
      ${temporary.map((name) => `${name}_temp_path ${site}/${name};`).join(" ")}
      types { text/javascript js; text/css css; } default_type text/html;
      ${http}
    }`,
  );
  const running = run(nginx ?? "", ["-e", `${site}/error.log`, "-c", `${site}/nginx.conf`]);
  onTestFinished(running.kill);
  const address = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(address).then(
      () => "",
      () => `not up ${running.stderr()}`,
    );
  await expect.poll(isUp).toBe("");
  /** Stops it, so that its logs are complete. */
  const readLogs = async () => {
    running.signal("SIGQUIT");
    await running.ended;
    return ["access.log", "error.log"].map((name) => readFileSync(join(site, name), "utf8"));
  };
  return { address, readLogs };
}

test.skipIf(missingNginx)(
  "with the configuration for nginx, no log has a secret, which both have without",
  async () => {
    const logsOf = async (change: (config: string) => string) => {
      // The shop closes the connections of later requests.
      const { baseUrl } = await startServer(
        ({ response }) => response.end(),
        ({ response }) => response.writeHead(404).end(),
        ({ request }) => request.socket.destroy(),
      );
      const { address, readLogs } = await startNginx(temporaryFolder(), (config) =>
        change(config).replace("http://127.0.0.1:3000", baseUrl),
      );
      const order = { externalRef: "order-1", amount: 1990 };
      const urls = [
        await signer.sign(`${address}/postbacks`, order),
        await signer.statusUrl(`${address}/status`, order),
      ];
      const statuses: number[] = [];
      for (const url of [...urls, ...urls, `${urls[0]}`.replace("/postbacks", "/webhooks")]) {
        statuses.push((await fetch(url)).status);
      }
      expect(statuses).toEqual([200, 404, 502, 502, 404]);
      return readLogs();
    };
    const hasSecret = (logs: string[]) => logs.map((log) => log.includes("sig="));

    const usual = await logsOf((config) =>
      config.replaceAll(/^ *(log_format|error_log|log_not_found) .*$/gm, "").replace(" no_query;", ";"),
    );
    const recipe = await logsOf((config) => config);

    expect(hasSecret(usual)).toEqual([true, true]);
    expect(hasSecret(recipe)).toEqual([false, false]);
    expect(recipe[0]).toMatch(/"GET \/postbacks" 502 127\.0\.0\.1:\d+ 502$/m);
  },
);

/** A page with the card form, and with an inline script like those of frameworks if it has a nonce. */
const pageWith = (nonce?: string) => `<!doctype html><html lang="en"><meta charset="utf-8">
<title>Checkout</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/elements.css">
<script src="/elements.global.js"></script>
${nonce === undefined ? "" : `<script nonce="${nonce}">document.title = "Hydrated";</script>`}
<payment-card-form base-url="${sandbox.baseUrl}" public-key="${sandbox.publicKey}"></payment-card-form></html>`;

const dist = join(root, "dist");
const ASSETS = ["elements.global.js", "elements.css"];

const sendPage = (_request: unknown, response: Response) =>
  void response.type("html").send(pageWith(response.locals["nonce"]));

const serveWith = (csp: RequestHandler) =>
  listen(createServer(express().use(csp, express.static(dist)).get("/checkout", sendPage)));

type Site = readonly [name: string, start: () => Promise<string>, title: string];

const SITES: readonly Site[] = [
  [
    "Express without a nonce",
    async () => {
      const { directives } = await documented("csp");
      return serveWith(load("helmet")({ contentSecurityPolicy: { useDefaults: false, directives } }));
    },
    "Checkout",
  ],
  ["Express, as NestJS", async () => serveWith((await documented("express-csp")).csp), "Hydrated"],
  [
    "Fastify",
    async () => {
      const app = createFastify();
      await (await documented("fastify-csp")).registerCsp(app);
      for (const file of ASSETS) {
        const type = file.endsWith("css") ? "text/css" : "text/javascript";
        app.get(`/${file}`, (_request, reply) => reply.type(type).send(readFileSync(join(dist, file))));
      }
      app.get("/checkout", (_request, reply) => {
        const { cspNonce } = reply as unknown as { cspNonce: { script: string } };
        return reply.type("text/html").send(pageWith(cspNonce.script));
      });
      return listenFastify(app);
    },
    "Hydrated",
  ],
];

const NGINX: Site = [
  "nginx",
  async () => {
    const site = temporaryFolder();
    writeFileSync(join(site, "checkout"), pageWith());
    for (const file of ASSETS) copyFileSync(join(dist, file), join(site, file));
    return (await startNginx(site, (config) => config.replace(DOCUMENTED, sandbox.baseUrl))).address;
  },
  "Checkout",
];

/** The directives of a policy, sorted, without nonces. */
const readPolicy = (policy: string) =>
  policy
    .replaceAll(/ 'nonce-[^']+'/g, "")
    .split(";")
    .map((directive) => directive.trim())
    .sort();

test.each(missingNginx ? SITES : [...SITES, NGINX])(
  "%s sends the policy of docs/pci.md, the form gets a token under it, and an injected script does not run",
  async (_name, startSite, title) => {
    const [, expected = ""] = /^Content-Security-Policy: (.+)$/m.exec(read("docs/pci.md")) ?? [];
    const url = `${await startSite()}/checkout`;

    const policies = await Promise.all(
      [url, url].map(async (one) => (await fetch(one)).headers.get("content-security-policy") ?? ""),
    );
    const { page, browserErrors } = await visit(url);
    await page.getByLabel("Card number").pressSequentially("4111111111111111");
    await page.getByLabel("Name on card").fill("Maria Exemplo");
    await page.getByLabel("Expiry").pressSequentially("0339");
    await page.getByLabel("CVV").fill("123");
    const token = await page.locator("payment-card-form").evaluate(async (form) => {
      const { value } = await (form as HTMLElement & { tokenize(): Promise<{ value: string }> }).tokenize();
      return value;
    });

    expect(token).toMatch(/^eyJ/);
    expect(await page.title()).toBe(title);
    expect(browserErrors).toEqual([]);
    expect(readPolicy(policies[0] ?? "")).toEqual(readPolicy(expected.replace(DOCUMENTED, sandbox.baseUrl)));
    if (title === "Hydrated") expect(policies[0]).not.toBe(policies[1]);

    await page.evaluate(() => {
      const script = document.createElement("script");
      script.text = "document.title = 'Attacked'";
      document.body.append(script);
    });
    expect(await page.title()).toBe(title);
    expect(browserErrors).toEqual([expect.stringContaining("Content Security Policy")]);
  },
);

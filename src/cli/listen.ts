import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Command } from "commander";
import type { InvalidPostbackError, Postback, PostbackUrlSigner } from "../postbacks.ts";
import { createCommand, parsePort } from "./command.ts";
import { cannotListen } from "./command-failure.ts";
import type { Context } from "./context.ts";
import { t } from "./language.ts";
import { bold, dim, green, Output, red, yellow } from "./output.ts";
import { readSettings, readSigner } from "./settings.ts";
import { displayUrl, isLoopback, readWebUrl } from "./urls.ts";

const HOST = "127.0.0.1";
const BODY_MAX_BYTES = 1024 * 1024;
const FORWARD_TIMEOUT_MS = 30_000;

/** Each may keep a body in memory. */
const CONNECTIONS_MAX = 100;

/** Between two lines about refused requests: a website may send many. */
const REFUSAL_INTERVAL_MS = 10_000;

/** A request with this value in `Via` was already forwarded by this server. */
const VIA = "1.1 payments-listen";

interface Flags {
  readonly port: number;
  readonly forwardTo?: string;
  readonly publicUrl?: string;
  readonly json?: true;
}

export function listenCommand(context: Context): Command {
  return createCommand(context, {
    name: "listen",
    summary: t(
      "Receive postbacks, check their signatures, print them and forward them.",
      "Recebe postbacks, confere as assinaturas, mostra e encaminha.",
    ),
    details: t(
      "Without --forward-to, the response is 204. With it, the response is that of the target, or 502 if the target cannot be reached, or responds with over 1 MB. To verify the signatures of postback URLs, set PAYMENTS_POSTBACK_SECRET, and also PAYMENTS_POSTBACK_KID if your kid is not 1.",
      "Sem --forward-to, a resposta é 204. Com ela, a resposta é a do destino, ou 502 se o destino não responde, ou responde com mais de 1 MB. Para verificar as assinaturas das URLs, defina PAYMENTS_POSTBACK_SECRET, e também PAYMENTS_POSTBACK_KID se o seu kid não é 1.",
    ),
    examples: [
      "payments listen --forward-to http://localhost:3000/postbacks",
      "payments listen --port 4020 --public-url https://my-tunnel.example/",
    ],
  })
    .option("--port <n>", t("port; 0 selects a free one", "porta; 0 escolhe uma livre"), parsePort, 4020)
    .option("--forward-to <url>", t("URL to forward each postback to", "URL que recebe cada postback"))
    .option("--public-url <url>", t("URL of your tunnel to this port", "URL do seu túnel para esta porta"))
    .action(async ({ port, forwardTo, publicUrl, json }: Flags) => {
      const output = new Output(context, json);
      const target = forwardTo === undefined ? undefined : readWebUrl("--forward-to", forwardTo);
      const tunnel = publicUrl === undefined ? undefined : readWebUrl("--public-url", publicUrl);
      const signer = await readSigner(readSettings(context));
      const { parsePostback } = await import("../postbacks.ts");
      const { formatBRL } = await import("../index.ts");
      const { createServer } = await import("node:http"); // loads Node's fetch
      const receiver = { target, tunnel, signer, parsePostback, output, quietUntil: 0 };
      const server = createServer((request, response) => {
        void receive(request, response, receiver).then(
          (received) => received && printPostback(output, received, formatBRL),
          () => response.destroy(), // the sender has disconnected
        );
      });
      server.maxConnections = CONNECTIONS_MAX;
      const actualPort = await listen(server, port);
      const interrupted = context.untilInterrupted();
      printStart(output, tunnel?.href ?? `http://${HOST}:${actualPort}/`, target, signer !== undefined);

      await interrupted;
      server.close();
      server.closeAllConnections();
    });
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, HOST);
    await once(server, "listening");
  } catch (error) {
    throw cannotListen(error, HOST, port) ?? error;
  }
  return (server.address() as AddressInfo).port;
}

function printStart(output: Output, postbackUrl: string, target: URL | undefined, hasSigner: boolean): void {
  const forwardTo = target && displayUrl(target);
  if (output.isJson) {
    output.event({ type: "listening", postbackUrl, forwardTo, verifies: hasSigner });
    return;
  }
  const noTarget = t("nowhere: the response is always 204", "ninguém: a resposta é sempre 204");
  const unverified = t(
    "not verified: PAYMENTS_POSTBACK_SECRET is not set",
    "não verificadas: PAYMENTS_POSTBACK_SECRET não está definido",
  );
  output.line(bold(t("Listening for postbacks.", "Esperando postbacks.")));
  output.line();
  output.line("  postbackUrl  ", bold(postbackUrl));
  output.line(t("  Forwards to  ", "  Encaminha a  "), forwardTo ?? noTarget);
  output.line(t("  Signatures   ", "  Assinaturas  "), hasSigner ? t("verified", "verificadas") : unverified);
  output.line();
  const use = t("Use this postbackUrl for your payments.", "Use esta postbackUrl nos seus pagamentos.");
  output.line(`${use} ${t("Press Ctrl-C to stop.", "Ctrl-C encerra.")}`);
  output.line();
}

/** Whether a postback can be trusted, with the colour that shows it, in Portuguese. `unverified`: the secret is not set. */
const VERDICTS = {
  signed: [green, "assinado"],
  unsigned: [yellow, "sem assinatura"],
  forged: [red, "falso"],
  unverified: [dim, "não verificado"],
  "not a postback": [red, "não é um postback"],
} as const;

interface Verification {
  readonly verdict: keyof typeof VERDICTS;
  readonly postback?: Postback;
  /** Why it is forged, or not a postback. */
  readonly reason?: string;
}

interface Receiver {
  readonly target: URL | undefined;
  readonly tunnel: URL | undefined;
  readonly signer: PostbackUrlSigner | undefined;
  readonly parsePostback: (body: Uint8Array) => Postback;
  readonly output: Output;
  /** When the next refused request is printed. */
  quietUntil: number;
}

async function verify(url: string, body: Uint8Array, receiver: Receiver): Promise<Verification> {
  let postback: Postback;
  try {
    postback = receiver.parsePostback(body);
  } catch (error) {
    const { issues } = error as InvalidPostbackError; // they contain no value of the body
    const reason = `${issues[0]?.field} ${issues[0]?.message}`.trim();
    return { verdict: "not a postback", reason };
  }
  if (receiver.signer === undefined) return { verdict: "unverified", postback };
  try {
    const { amountMatches } = await receiver.signer.verify(url, postback);
    const reason = t("the amount differs", "o valor é outro");
    return { verdict: "signed", postback, ...(!amountMatches && { reason }) };
  } catch (error) {
    const reason = (error as { reason?: string }).reason ?? "";
    if (reason === "missing_signature") return { verdict: "unsigned", postback };
    return { verdict: "forged", postback, reason };
  }
}

/** The response to a postback: from the target, or from this server. */
interface PostbackResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Why the target did not respond. */
  readonly error?: string;
}

interface Received extends Verification {
  readonly at: Date;
  /** The response of the target, if the postback was forwarded. */
  readonly forwarded: PostbackResponse | undefined;
  readonly durationMs: number;
}

/**
 * Why a request is refused: a website may have sent it. Browsers send `Origin` with a POST, but older ones not to the
 * same origin, and with DNS rebinding, a website's own name points to this machine. Then `Host` has that name.
 */
function findRefusal({ headers }: IncomingMessage, tunnel: URL | undefined): string | undefined {
  if (headers.origin !== undefined) {
    return t("Refused a request of a browser.", "Requisição de um navegador recusada.");
  }
  const { host = "" } = headers;
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
  if (isLoopback(name) || name === tunnel?.hostname) return undefined;
  return t(
    `Refused a request to the host ${host}. If it is your tunnel, pass its URL as --public-url.`,
    `Requisição ao host ${host} recusada. Se é o seu túnel, use a URL dele em --public-url.`,
  );
}

/** Responds to a request. Returns `undefined` if the request is not printed. */
async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  receiver: Receiver,
): Promise<Received | undefined> {
  const at = new Date();
  if (request.method !== "POST") {
    const use = t("Send postbacks to this URL with POST.", "Envie os postbacks a esta URL com POST.");
    response.writeHead(405, { allow: "POST" }).end(`${use}\n`);
    return undefined;
  }
  const refusal = findRefusal(request, receiver.tunnel);
  if (refusal !== undefined) {
    if (performance.now() >= receiver.quietUntil) {
      receiver.output.note(refusal);
      receiver.quietUntil = performance.now() + REFUSAL_INTERVAL_MS;
    }
    response.writeHead(403, { connection: "close" }).end(`${refusal}\n`);
    return undefined;
  }
  const body = await readBody(request);
  if (body === undefined) {
    response.writeHead(413, { connection: "close" }).end();
    return undefined;
  }
  if (request.headers.via?.includes(VIA)) {
    response.writeHead(508).end("The URL of --forward-to points back to this server.\n");
    return undefined;
  }
  const verification = await verify(request.url ?? "", body, receiver);
  const startedAt = performance.now();
  const forwarded = receiver.target && (await forward(request, body, receiver.target));
  const durationMs = Math.round(performance.now() - startedAt);
  response.writeHead(forwarded?.status ?? 204, forwarded?.headers).end(forwarded?.body);
  return { ...verification, at, forwarded, durationMs };
}

/** Returns `undefined` for more than 1 MB, of which the rest is not read. */
async function readBody(from: AsyncIterable<Uint8Array> | []): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of from) {
    length += chunk.length;
    if (length > BODY_MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Headers of this connection, and headers that `fetch` sets itself. */
const HEADERS_NOT_FORWARDED =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|expect|accept-encoding)$/;

async function forward(
  request: IncomingMessage,
  body: Uint8Array<ArrayBuffer>,
  to: URL,
): Promise<PostbackResponse> {
  const url = new URL(to);
  const [, query = ""] = /\?(.*)$/.exec(request.url ?? "") ?? [];
  url.search = [url.search.slice(1), query].filter(Boolean).join("&");
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    HEADERS_NOT_FORWARDED.test(name) ? [] : values.map((value): [string, string] => [name, value]),
  );
  headers.push(["via", VIA]);
  try {
    const signal = AbortSignal.timeout(FORWARD_TIMEOUT_MS);
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    const responseBody = await readBody(response.body ?? []);
    if (responseBody === undefined) {
      return { status: 502, error: t("response over 1 MB", "resposta com mais de 1 MB") };
    }
    const relevant = ["content-type", "location", "retry-after"];
    return {
      status: response.status,
      headers: Object.fromEntries([...response.headers].filter(([name]) => relevant.includes(name))),
      body: responseBody,
    };
  } catch (error) {
    const isTimeout = error instanceof DOMException;
    const late = t("no complete response within 30 s", "sem resposta completa em 30 s");
    return { status: 502, error: isTimeout ? late : t("cannot be reached", "não responde") };
  }
}

function printPostback(output: Output, received: Received, formatBRL: (cents: number) => string): void {
  const { at, postback, verdict, reason, forwarded, durationMs } = received;
  const { id, status, externalRef, amount } = postback ?? {};
  const reference = externalRef ?? t("no externalRef", "sem externalRef");
  const details = postback
    ? [status?.padEnd(11), id, reference, formatBRL(postback.amount), ""].join("  ")
    : "";
  const { headers: _headers, body: _body, ...result } = forwarded ?? {};
  const [color, portuguese] = VERDICTS[verdict];
  output.event(
    {
      ...{ type: "postback", at: at.toISOString(), id, externalRef, status, amount, verdict, reason },
      ...(forwarded && { forwarded: { ...result, durationMs } }),
    },
    dim(at.toTimeString().slice(0, 8)),
    `  ${details}`,
    color(`${t(verdict, portuguese)}${reason ? ` (${reason})` : ""}`),
    forwarded ? `  -> ${forwarded.error ?? `${forwarded.status} ${t("in", "em")} ${durationMs} ms`}` : "",
  );
}

/** The faults that a connection or a proxy makes. */

/** What `fetch` rejects with where a connection breaks. */
export function brokenConnection(code: "ECONNRESET" | "ECONNREFUSED", message: string): never {
  throw new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });
}

/** Pending until the caller gives up. */
export function stalled(request: Request): Promise<never> {
  return new Promise((_resolve, reject) => {
    whenAborted(request, () => reject(request.signal.reason));
  });
}

/** The head of an answer and half of its body; the rest never comes. */
export async function stalledBody(answer: Response, request: Request): Promise<Response> {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      controller.enqueue(bytes.slice(0, Math.ceil(bytes.length / 2)));
      whenAborted(request, () => controller.error(request.signal.reason));
    },
  });
  const headers = new Headers(answer.headers);
  headers.set("content-length", String(bytes.length)); // so that no end of the connection passes for its end
  return new Response(body, { status: answer.status, headers });
}

/**
 * To where the request came from, so that the copy of it that a redirect brings is a second request. Without
 * a host: the name that the caller knows the sandbox by may not be that of the base URL.
 */
export function redirect307({ url }: Request): Response {
  const { pathname, search } = new URL(url);
  return new Response(null, { status: 307, headers: { location: pathname + search } });
}

export function html502(): Response {
  const page = [
    "<html>",
    "<head><title>502 Bad Gateway</title></head>",
    "<body>",
    "<center><h1>502 Bad Gateway</h1></center>",
    "</body>",
    "</html>",
    "",
  ].join("\r\n");
  return new Response(page, { status: 502, headers: { "content-type": "text/html" } });
}

/** Requests that wait to be given up. One that nobody holds any more does not hear of it. */
const waiting = new Set<Request>();

function whenAborted(request: Request, action: () => void): void {
  const { signal } = request;
  const act = () => {
    waiting.delete(request);
    action();
  };
  waiting.add(request);
  if (signal.aborted) act();
  else signal.addEventListener("abort", act, { once: true });
}

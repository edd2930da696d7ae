/** The part of Node's `ServerResponse` that is used. */
export interface NodeResponse {
  /** HTTP status of the response. */
  statusCode: number;
  /** Sets a header of the response. */
  setHeader(name: string, value: string): unknown;
  /** Sends the response. */
  end(body: string): unknown;
}

export interface HandlerResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function createResponse(
  status: number,
  body: object,
  headers: HandlerResponse["headers"] = {},
): HandlerResponse {
  return { status, body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } };
}

export function sendToNode(
  response: NodeResponse,
  { status, headers, body }: HandlerResponse,
  httpVersion = 1,
) {
  try {
    response.statusCode = status;
    for (const [name, value] of Object.entries(headers)) {
      // HTTP/2 does not have this header.
      if (name !== "connection" || httpVersion === 1) response.setHeader(name, value);
    }
    response.end(body);
  } catch {
    // The connection is closed, or a response was already sent. What the handler did does not change.
  }
}

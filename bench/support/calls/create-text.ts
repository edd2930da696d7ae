export interface CreateEffort {
  readonly warmUp: number;
  readonly settle: number;
  readonly slices: number;
  readonly count: number;
}

/** What was done in the measurement of a create, and what the contenders do differently. */
export function createText({ warmUp, settle, slices, count }: CreateEffort): string {
  return `Each contender takes an object with the same data, posts it, and gives an object of whose id it is checked that it is the answer's. In each round each has a fresh process (the baseline two), which makes ${warmUp + count} calls at 1, 16 and 64 at a time each to warm up, as a server that runs for days is warm. Then they work in turn, one at a time and in an order of chance that is new each time: ${slices} × ${count} calls at 1, 16 and 64 at a time, after ${settle} that are not counted: a process that has rested while the others worked finds its caches cold and its connections ended, which a server under traffic does not. CPU is user and system time of the client's process with all its threads. The server is a process of its own on the same machine, which answers prepared bytes. Figures are ratios to the baseline of the same round: the median of the rounds and, in brackets, the least and the most; the baseline's own row tells its microseconds a call. With 64 at a time latency is mostly waiting for one's turn.

Retries are off, connections are kept. What differs:

- fetch (the baseline), node:http and undici.request only parse the JSON: no deadline, no check of the status, no limit to an answer.
- ky has its deadline of 10 s over the head of the answer, and throws where the status is not 2xx. It hands fetch a Request with a body; after a pause, as there is between two slices, that way through fetch costs half as much again (see the section on pauses).
- payments-sdk checks the request and the answer against their schemas, has its deadline of 30 s over the whole answer, refuses to follow a redirect, limits the size of an answer, and keeps keys out of what it throws. With onEvent it tells two events a call.
- stripe writes a form in place of JSON (a tenth more bytes), has its deadline of 80 s, and checks nothing. Its own transport is node:http; over fetch it is what it uses outside of Node.
- openai and anthropic are called by the method that all their resources call; deadlines of 10 minutes, no checks.
- mercadopago makes a key of idempotency for each call; its deadline ends with the head of the answer.
- paddle renames the fields of the request, makes objects of its classes of the answer, and has no deadline.
- square and adyen send only fields that they know: the same data by their names, a tenth more bytes. Both convert by tables in both directions; of the answer they know little here, one object with an id.
- adyen's own transport opens a TLS connection for each call and cannot be pointed at this server: it is given one over fetch, without a deadline.`;
}

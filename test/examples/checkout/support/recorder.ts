import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { onTestFinished } from "vitest";

/** Stands in front of a server and keeps every byte that is sent to it. */
export interface Recorder {
  readonly url: string;
  readonly arrived: () => string;
}

export async function record(url: string): Promise<Recorder> {
  const { hostname, port } = new URL(url);
  let arrived = "";
  const recorder = createServer((client) => {
    const server = connect(Number(port), hostname);
    client.on("data", (bytes) => {
      arrived += bytes.toString("latin1");
    });
    client.pipe(server).pipe(client);
    // Either side may go away in the middle, as browsers do when a page is closed.
    client.on("error", () => server.destroy());
    server.on("error", () => client.destroy());
    client.on("close", () => server.destroy());
  });
  recorder.listen(0, "127.0.0.1");
  await once(recorder, "listening");
  onTestFinished(() => void recorder.close());
  return {
    url: `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`,
    arrived: () => arrived,
  };
}

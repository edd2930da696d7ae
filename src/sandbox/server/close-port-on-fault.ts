/// <reference types="node" />
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ArmedFault } from "../faults/fault.ts";
import type { Gateway } from "../gateway.ts";

/** A closed port cannot count connection attempts, so it stays closed this long for each time of the fault. */
const CLOSED_MS = 1_000;

/** Another program may be using the port by now, and may release it again. */
const RETRY_MS = 250;

/**
 * Closes the port while a `refused_connection` is the next fault of an endpoint, and removes the fault after its time
 * by the machine's clock. Meanwhile requests to every endpoint and to the pages are refused.
 *
 * @returns a function that stops watching, and leaves the port as it is.
 */
export function closePortOnFault(gateway: Gateway, server: Server): () => void {
  const { address, port } = server.address() as AddressInfo;
  let closedByFault: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isEnded = false;

  function openPort(): void {
    if (!server.listening) server.listen(port, address);
  }

  /** Also cancels an `openPort` that is still in progress. */
  function closePort(): void {
    server.close();
    server.closeIdleConnections();
  }

  function update(): void {
    const fault = findRefusal(gateway.faults.armed);
    if (fault?.id === closedByFault) return;
    closedByFault = fault?.id;
    clearTimeout(timer);
    if (fault === undefined) {
      openPort();
    } else {
      closePort();
      timer = setTimeout(() => gateway.faults.remove(fault.id), fault.times * CLOSED_MS);
    }
  }

  // Never removed: the last `openPort` may still fail, and an unhandled error would end the process.
  server.on("error", () => {
    if (!isEnded && closedByFault === undefined) timer = setTimeout(openPort, RETRY_MS);
  });
  const unsubscribe = gateway.subscribe(({ type }) => {
    if (type === "faults") update();
  });

  return () => {
    isEnded = true;
    unsubscribe();
    clearTimeout(timer);
  };
}

/** The first one that is the next fault of its endpoint. */
function findRefusal(armed: readonly ArmedFault[]): ArmedFault | undefined {
  return armed.find(
    (fault) => fault.kind === "refused_connection" && armed.find(({ on }) => on === fault.on) === fault,
  );
}

/// <reference types="node" />
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ArmedFault } from "../faults/fault.ts";
import type { Gateway } from "../gateway.ts";

/** A closed port cannot count who knocks: it stays closed this long for each time of the fault. */
const CLOSED_MS = 1_000;

/** Another program may have taken the port meanwhile, and may let it go again. */
const RETRY_MS = 250;

/**
 * Closes the port while the turn of a `refused_connection` has come, by the machine's clock, and takes the
 * fault away afterwards. Calls of every endpoint are refused then, and pages too.
 *
 * @returns what ends it, and leaves the port as it is.
 */
export function closePortOnFault(gateway: Gateway, server: Server): () => void {
  const { address, port } = server.address() as AddressInfo;
  let closedFor: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;

  function open(): void {
    if (!server.listening) server.listen(port, address);
  }

  /** Ends a listening that has not come about yet, too. */
  function shut(): void {
    server.close();
    server.closeIdleConnections();
  }

  function look(): void {
    const fault = refusalOf(gateway.faults.armed);
    if (fault?.id === closedFor) return;
    closedFor = fault?.id;
    clearTimeout(timer);
    if (fault === undefined) {
      open();
    } else {
      shut();
      timer = setTimeout(() => gateway.faults.remove(fault.id), fault.times * CLOSED_MS);
    }
  }

  // Stays when all is over: a failure of the last `open` may still be on its way, and would end the process.
  server.on("error", () => {
    if (!ended && closedFor === undefined) timer = setTimeout(open, RETRY_MS);
  });
  const unsubscribe = gateway.subscribe(({ type }) => {
    if (type === "faults") look();
  });

  return () => {
    ended = true;
    unsubscribe();
    clearTimeout(timer);
  };
}

/** The first that no other fault of its endpoint comes before. */
function refusalOf(armed: readonly ArmedFault[]): ArmedFault | undefined {
  return armed.find(
    (fault) => fault.kind === "refused_connection" && armed.find(({ on }) => on === fault.on) === fault,
  );
}

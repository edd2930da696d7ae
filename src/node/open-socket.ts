/// <reference types="node" />
import type { Socket } from "node:net";
import type { Address, SocketMaker } from "./socket-maker.ts";

/** A socket on its way. */
export interface Opening {
  /** Ends it; nobody hears of it any more. */
  readonly cancel: () => void;
}

interface Listener {
  /** The connection stands, and the certificate, if there is one, was accepted. */
  readonly onReady: (socket: Socket) => void;
  readonly onFailed: (error: Error) => void;
}

/** Opens a socket within some milliseconds. */
export function openSocket(maker: SocketMaker, address: Address, ms: number, listener: Listener): Opening {
  let started: Socket | undefined;
  let isOver = false;
  const end = () => {
    isOver = true;
    clearTimeout(timer);
  };
  const fail = (error: Error) => {
    if (isOver) return;
    end();
    started?.destroy();
    listener.onFailed(error);
  };
  const timer = setTimeout(() => fail(tooLate(ms)), ms);
  const onMade = (error: Error | null | undefined, socket: Socket | undefined) => {
    if (socket === undefined || error) {
      // A listener is never called before `openSocket` has returned.
      process.nextTick(fail, error ?? brokenOff());
      return;
    }
    if (isOver) {
      socket.destroy();
      return;
    }
    // For as long as the socket lives: an error that nobody listens to would end the process.
    socket.on("error", fail);
    socket.once("close", () => fail(brokenOff()));
    const ready = () => {
      if (isOver) return;
      end();
      listener.onReady(socket);
    };
    const event = stillToCome(socket);
    if (event === undefined) ready();
    else socket.once(event, ready);
  };
  try {
    maker.make(address, (socket) => (started = socket), onMade);
  } catch (error) {
    process.nextTick(fail, error);
  }
  return {
    cancel: () => {
      end();
      started?.destroy();
    },
  };
}

/** What tells that the connection stands; nothing where it does, as one does that leads through a proxy. */
function stillToCome(socket: Socket): "secureConnect" | "connect" | undefined {
  if ("secureConnecting" in socket) return socket.secureConnecting === true ? "secureConnect" : undefined;
  return socket.connecting ? "connect" : undefined;
}

/** Worded and coded as what the system says when it gives up connecting. */
function tooLate(ms: number): Error {
  return Object.assign(new Error(`no connection within ${ms} ms`), { code: "ETIMEDOUT", syscall: "connect" });
}

function brokenOff(): Error {
  return Object.assign(new Error("the connection ended before it stood"), { code: "ECONNRESET" });
}

import { useEffect, useRef, useState } from "preact/hooks";
import { call, isNotFound, urlOf } from "./api.ts";

const CHANGES = ["transaction", "request", "delivery", "faults", "clock"] as const;

/** The name of a change of the gateway, or that the connection was opened or lost. */
type LiveEvent = (typeof CHANGES)[number] | "opened" | "lost";

const RETRY_MS = 1_000;
/** After a load, further changes wait this long, because they often come together. */
const PAUSE_MS = 100;

const listeners = new Set<(event: LiveEvent) => void>();
let source: EventSource | undefined;
let isConnected: boolean | undefined;

function publish(event: LiveEvent): void {
  if (event === "opened" || event === "lost") isConnected = event === "opened";
  for (const listener of listeners) listener(event);
}

/**
 * Follows the changes of the gateway, the server-sent events of the control API, while the page is visible.
 *
 * A hidden tab closes its stream: a browser opens at most six HTTP/1.1 connections to a host, in all tabs together, and
 * forgotten tabs would leave none for the visible one.
 */
function connect(): void {
  if (document.visibilityState === "hidden") {
    source?.close();
    source = undefined;
    return;
  }
  if (source && source.readyState !== EventSource.CLOSED) return;
  const opened = new EventSource(urlOf("events"));
  source = opened;
  for (const change of CHANGES) opened.addEventListener(change, () => publish(change));
  opened.addEventListener("open", () => publish("opened"));
  opened.addEventListener("error", () => {
    publish("lost");
    // Otherwise, the browser reconnects automatically.
    if (opened.readyState === EventSource.CLOSED) setTimeout(connect, RETRY_MS);
  });
}

document.addEventListener("visibilitychange", connect);
connect();

function useLiveEvents(listener: (event: LiveEvent) => void): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    const listen = (event: LiveEvent) => latest.current(event);
    listeners.add(listen);
    return () => void listeners.delete(listen);
  }, []);
}

/** Whether the page follows the changes; `undefined` until the first attempt has ended. */
export function useConnected(): boolean | undefined {
  const [shown, setShown] = useState(isConnected);
  useLiveEvents(() => setShown(isConnected));
  return shown;
}

export interface Fetched<T> {
  /** The latest response; `undefined` before the first one, and if the resource no longer exists. */
  readonly value?: T | undefined;
  readonly error?: unknown;
  refresh(): void;
}

/**
 * Fetches a path of the control API: again after each change with one of these names, when the connection is opened,
 * because changes may have been missed, and every second after an error, because a fault may have closed the port.
 */
export function useFetched<T>(path: string, ...changes: readonly LiveEvent[]): Fetched<T> {
  const [fetched, setFetched] = useState<Omit<Fetched<T>, "refresh">>({});
  const loadIn = useRef((_delayMs: number) => {});

  useEffect(() => {
    let isStopped = false;
    let isOutdated = false;
    let timer: number | undefined; // set until the response has arrived: one request at a time

    loadIn.current = (delayMs) => {
      isOutdated = true;
      timer ??= window.setTimeout(() => void load(), delayMs);
    };
    async function load(): Promise<void> {
      isOutdated = false;
      let pauseMs = PAUSE_MS;
      try {
        const value = await call<T>("GET", path);
        if (!isStopped) setFetched({ value });
      } catch (error) {
        if (!isStopped) setFetched(({ value }) => ({ error, ...(!isNotFound(error) && { value }) }));
        isOutdated ||= !isNotFound(error);
        pauseMs = RETRY_MS;
      }
      timer = undefined;
      if (isOutdated && !isStopped) loadIn.current(pauseMs);
    }

    loadIn.current(0);
    return () => {
      isStopped = true;
      window.clearTimeout(timer);
    };
  }, [path]);
  useLiveEvents((event) => {
    if (event === "opened" || changes.includes(event)) loadIn.current(0);
  });

  return { ...fetched, refresh: () => loadIn.current(0) };
}

/** Tells of an abort, also of one that has happened already; gives what ends the telling. */
export function onAbort(signal: AbortSignal | undefined, tell: (reason: unknown) => void): () => void {
  if (signal === undefined) return () => undefined;
  const listener = () => tell(signal.reason);
  if (signal.aborted) listener();
  else signal.addEventListener("abort", listener);
  return () => signal.removeEventListener("abort", listener);
}

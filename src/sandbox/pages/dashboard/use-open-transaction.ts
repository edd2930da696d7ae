import { useEffect, useState } from "preact/hooks";

const PATTERN = /^#\/transactions\/(\d+)$/;

export function hrefOfTransaction(id: number): string {
  return `#/transactions/${id}`;
}

export function closeTransaction(): void {
  window.location.hash = "#/";
}

/** The transaction in the URL, so that reload and the back button work. */
export function useOpenTransaction(): number | undefined {
  const [hash, setHash] = useState(window.location.hash);
  useEffect(() => {
    const follow = () => setHash(window.location.hash);
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  const [, id] = PATTERN.exec(hash) ?? [];
  return id === undefined ? undefined : Number(id);
}

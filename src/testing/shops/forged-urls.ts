/** URLs that a forger may try, who knows how the URLs of a shop are made, but not the secrets in them. */
export interface ForgedUrls {
  /** Without a secret. */
  readonly unsigned: readonly string[];
  /** With a wrong secret. */
  readonly forged: readonly string[];
}

/**
 * Guesses where the secrets are: in what differs between the URLs of two orders, except their numbers; otherwise in the
 * query. A URL without a query that is the same for all orders has none.
 *
 * @param ids - Of the order.
 */
export function forgeUrls(ofOrder: string, ofOther: string, ids: readonly string[]): ForgedUrls {
  const [url, other] = [new URL(ofOrder), new URL(ofOther)];
  const isSame = url.href === other.href;
  if (isSame && url.search === "") return { unsigned: [url.href], forged: [] };
  const isSecret = (value: string, otherValue: string | null | undefined) =>
    isSame || (value !== otherValue && !ids.some((id) => value.includes(id)));

  const names = [...url.searchParams]
    .filter(([name, value]) => isSecret(value, other.searchParams.get(name)))
    .map(([name]) => name);
  const segments = url.pathname.split("/");
  const others = other.pathname.split("/");
  const secretSegments = segments.flatMap((segment, nth) =>
    !isSame && isSecret(segment, others[nth]) ? [nth] : [],
  );
  return {
    unsigned: names.map((name) => withQuery(url, name, undefined)),
    forged: [
      ...names.map((name) => withQuery(url, name, toWrong(url.searchParams.get(name) ?? ""))),
      ...secretSegments.map((secret) => {
        const path = segments.map((segment, nth) => (nth === secret ? toWrong(segment) : segment)).join("/");
        return new URL(`${path}${url.search}`, url).href;
      }),
    ],
  };
}

function withQuery(url: URL, name: string, value: string | undefined): string {
  const changed = new URL(url);
  if (value === undefined) changed.searchParams.delete(name);
  else changed.searchParams.set(name, value);
  return changed.href;
}

/** Another text of the same length and alphabet. */
const toWrong = (secret: string) => [...secret].reverse().join("");

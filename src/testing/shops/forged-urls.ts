/** URLs that a forger may try, who knows how the URLs of a shop are made, but not the secrets in them. */
export interface ForgedUrls {
  /** Without a secret. */
  readonly unsigned: readonly string[];
  /** With a wrong secret. */
  readonly forged: readonly string[];
  /** The URL of the other order, if each order has a secret of its own. */
  readonly ofOther: string | undefined;
}

/** The URL of an order, and all that names the order in it. */
export interface OrderUrl {
  readonly url: string;
  readonly ids: readonly string[];
}

/** Fewer characters are a number, a date or a word. */
const SECRET_MIN_LENGTH = 16;

const isSecret = (text: string) => text.length >= SECRET_MIN_LENGTH && /\d/.test(text);

/** Another text of the same length and alphabet. */
const reverse = (secret: string) => [...secret].reverse().join("");

/** With another last part, such as the signature of a JWT. */
const reverseLastPart = (secret: string) => secret.replace(/[^.]*$/, reverse);

/**
 * A long text with a digit counts as a secret, unless it names the order. A URL without one can be guessed: a forger has
 * it as it is.
 */
export function forgeUrls(order: OrderUrl, other: OrderUrl): ForgedUrls {
  const genuine = new URL(order.url);
  const secrets = secretsIn(genuine, order.ids);
  if (secrets.length === 0) return { unsigned: [genuine.href], forged: [], ofOther: undefined };

  const otherUrl = new URL(other.url);
  const isOwn = secretsIn(otherUrl, other.ids).join() !== secrets.join();
  const renamed = other.ids.reduce(
    (url, id, nth) => url.replaceAll(encodeURIComponent(id), encodeURIComponent(order.ids[nth] ?? "")),
    otherUrl.href,
  );
  const isInPath = genuine.pathname.split("/").some((segment) => hasSecret(segment, order.ids));
  const withoutQuery = isInPath ? genuine.href : genuine.href.replace(/\?.*/, "");
  const without = withSecrets(genuine, order.ids, () => undefined);
  const wrong = [reverse, reverseLastPart].map((change) => withSecrets(genuine, order.ids, change));
  const others = (urls: readonly string[]) => [...new Set(urls)].filter((url) => url !== genuine.href);
  return {
    unsigned: others([without, withoutQuery]),
    forged: others([...wrong, ...(isOwn ? [renamed] : [])]),
    ofOther: isOwn ? otherUrl.href : undefined,
  };
}

/** A value without the names of the order. */
const piecesOf = (value: string, ids: readonly string[]) =>
  ids.reduce((pieces, id) => pieces.flatMap((piece) => piece.split(id)), [value]);

const hasSecret = (value: string, ids: readonly string[]) => piecesOf(value, ids).some(isSecret);

const secretsIn = ({ pathname, searchParams }: URL, ids: readonly string[]) =>
  [...pathname.split("/"), ...searchParams.values()].flatMap((value) =>
    piecesOf(value, ids).filter(isSecret),
  );

/** @param change - Returns `undefined` to leave out a parameter. A segment of the path cannot be left out. */
function withSecrets(
  url: URL,
  ids: readonly string[],
  change: (secret: string) => string | undefined,
): string {
  const changed = new URL(url);
  const toChanged = (value: string) =>
    piecesOf(value, ids)
      .filter(isSecret)
      .reduce((text, secret) => text.replace(secret, () => change(secret) ?? secret), value);
  changed.pathname = url.pathname.split("/").map(toChanged).join("/");
  for (const [name, value] of url.searchParams) {
    if (!hasSecret(value, ids)) continue;
    if (change(value) === undefined) changed.searchParams.delete(name);
    else changed.searchParams.set(name, toChanged(value));
  }
  return changed.href;
}

import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";

/** A SQLite file may have any name; everything with a protocol is a server. */
const SERVER = /^[a-z][a-z+.-]*:\/\//i;

/** The name of a store in messages: the absolute path of a file, or a URL without user, password and query. */
export function nameOfStore(location: string, cwd = "."): string {
  const [protocol] = SERVER.exec(location) ?? [];
  if (protocol === undefined) {
    const path = resolve(cwd, location);
    return existsSync(path) ? realpathSync(path) : path; // a link often names a folder that a deployment replaces
  }
  if (!isReadable(location)) return `${protocol}...`;
  const { protocol: scheme, host, pathname } = new URL(withoutUser(location));
  return `${scheme}//${host}${pathname === "/" ? "" : pathname}`;
}

/** Whether it is certain where the password ends: with an unescaped slash in it, a part of it looks like the host. */
export function isReadable(location: string): boolean {
  if (!SERVER.test(location)) return true;
  const rest = withoutUser(location);
  if (!URL.canParse(rest)) return false;
  const { pathname, search, hash } = new URL(rest);
  return !`${pathname}${search}${hash}`.includes("@");
}

/** Whether a text that is no URL may be a misspelled one, with its password: in quotes, after a space, without slashes. */
export function looksLikeUrl(location: string): boolean {
  return /:\/\/|:.*@|pass\w*=/is.test(location);
}

/** Replaces each secret of a URL in a text, as it stands in the URL and decoded. */
export function redactSecrets(text: string, location: string): string {
  return secretsOf(location).reduce((result, secret) => result.replaceAll(secret, "[redacted]"), text);
}

/** The longest first, so that none is redacted only in part. */
function secretsOf(location: string): string[] {
  const [, userInfo = ""] = /^[a-z][a-z+.-]*:\/\/([^@/?#]*)@/i.exec(location) ?? [];
  const password = userInfo.includes(":") ? userInfo.slice(userInfo.indexOf(":") + 1) : "";
  const query = [...location.matchAll(/[?&][^=&]*pass[^=&]*=([^&#]*)/gi)].map(([, value = ""]) => value);
  const spellings = [password, ...query].flatMap((secret) => [secret, decode(secret)]);
  return spellings.filter((secret) => secret !== "").toSorted((a, b) => b.length - a.length);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** PostgreSQL accepts URLs with a user and no host, if the query names the folder of a socket. */
function withoutUser(location: string): string {
  return location.replace(/^([a-z][a-z+.-]*:\/\/)[^@/?#]*@/i, "$1");
}

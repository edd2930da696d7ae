import { ConnectionPool } from "./connection-pool.ts";
import { type Scheme, SocketMaker } from "./socket-maker.ts";
import type { TransportRules } from "./transport-options.ts";

/** Where a request goes, and by which connections. */
export interface Target {
  readonly scheme: Scheme;
  /** Without the brackets of IPv6. */
  readonly hostname: string;
  readonly port: number;
  /** What the header `host` says. */
  readonly authority: string;
  /** Path and query. */
  readonly path: string;
  readonly pool: ConnectionPool;
}

/** A client has a handful of URLs that recur, and some that hold a transaction's id. */
const REMEMBERED = 64;

/** The targets of a transport, each URL read once. */
export class TargetCache {
  readonly #rules: TransportRules;
  readonly #targets = new Map<string, Target>();
  readonly #pools = new Map<string, ConnectionPool>();
  readonly #makers: Partial<Record<Scheme, SocketMaker>> = {};
  #isClosed = false;

  constructor(rules: TransportRules) {
    this.#rules = rules;
  }

  /** @throws {TypeError} where it is no URL of http or https. */
  find(url: string): Target {
    const known = this.#targets.get(url);
    if (known !== undefined) return known;
    const target = this.#read(url);
    if (this.#targets.size >= REMEMBERED) this.#forget();
    this.#targets.set(url, target);
    return target;
  }

  close(): void {
    this.#isClosed = true;
    for (const pool of this.#pools.values()) pool.close();
  }

  #forget(): void {
    this.#targets.clear();
    for (const [origin, pool] of this.#pools) if (pool.isUnused) this.#pools.delete(origin);
  }

  #read(url: string): Target {
    if (!URL.canParse(url)) throw new TypeError("The URL of a request must be absolute.");
    const { protocol, username, password, hostname, port, host, pathname, search, origin } = new URL(url);
    if (protocol !== "https:" && protocol !== "http:") {
      throw new TypeError("The URL of a request must start with https: or http:.");
    }
    if (username !== "" || password !== "") {
      throw new TypeError("The URL of a request must hold no user and no password.");
    }
    const address = {
      scheme: protocol,
      hostname: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname,
      port: port === "" ? DEFAULT_PORTS[protocol] : Number(port),
    } as const;
    return { ...address, authority: host, path: pathname + search, pool: this.#poolOf(origin, address) };
  }

  #poolOf(origin: string, address: Pick<Target, "scheme" | "hostname" | "port">): ConnectionPool {
    const known = this.#pools.get(origin);
    if (known !== undefined) return known;
    const maker = this.#makers[address.scheme] ?? new SocketMaker(address.scheme);
    this.#makers[address.scheme] = maker;
    const pool = new ConnectionPool(maker, address, this.#rules);
    if (this.#isClosed) pool.close();
    this.#pools.set(origin, pool);
    return pool;
  }
}

const DEFAULT_PORTS = { "https:": 443, "http:": 80 } as const;

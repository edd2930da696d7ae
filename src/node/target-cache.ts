import { ConnectionPool, type PoolOptions } from "./connection-pool.ts";
import { type Scheme, SocketFactory } from "./open-socket.ts";

/** A parsed URL, and the connections to its host. */
export interface Target {
  readonly scheme: Scheme;
  /** Without the brackets of IPv6. */
  readonly hostname: string;
  readonly port: number;
  /** The value of the header `host`. */
  readonly authority: string;
  /** Path and query. */
  readonly path: string;
  readonly pool: ConnectionPool;
}

/** A client requests few different URLs; other code may request many, such as URLs with an id. */
const MAX_TARGETS = 64;

const DEFAULT_PORTS = { "https:": 443, "http:": 80 } as const;

/** The targets of a transport. Each URL is parsed once. */
export class TargetCache {
  readonly #options: PoolOptions;
  readonly #targets = new Map<string, Target>();
  readonly #pools = new Map<string, ConnectionPool>();
  readonly #socketFactories: Partial<Record<Scheme, SocketFactory>> = {};
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** @throws {TypeError} if the URL is not an http or https URL. */
  find(url: string): Target {
    const known = this.#targets.get(url);
    if (known !== undefined) return known;
    const target = this.#parse(url);
    if (this.#targets.size >= MAX_TARGETS) this.#clear();
    this.#targets.set(url, target);
    return target;
  }

  close(): void {
    this.#isClosed = true;
    for (const pool of this.#pools.values()) pool.close();
  }

  #clear(): void {
    this.#targets.clear();
    for (const [origin, pool] of this.#pools) if (pool.isUnused) this.#pools.delete(origin);
  }

  #parse(url: string): Target {
    if (!URL.canParse(url)) throw new TypeError("The URL of a request must be absolute.");
    const { protocol, username, password, hostname, port, host, pathname, search, origin } = new URL(url);
    if (protocol !== "https:" && protocol !== "http:") {
      throw new TypeError("The URL of a request must start with https: or http:.");
    }
    if (username !== "" || password !== "") {
      throw new TypeError("The URL of a request must not contain a user or a password.");
    }
    const address = {
      scheme: protocol,
      hostname: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname,
      port: port === "" ? DEFAULT_PORTS[protocol] : Number(port),
    } as const;
    return { ...address, authority: host, path: pathname + search, pool: this.#findPool(origin, address) };
  }

  #findPool(origin: string, address: Pick<Target, "scheme" | "hostname" | "port">): ConnectionPool {
    const known = this.#pools.get(origin);
    if (known !== undefined) return known;
    const { scheme } = address;
    this.#socketFactories[scheme] ??= new SocketFactory(scheme);
    const pool = new ConnectionPool(this.#socketFactories[scheme], address, this.#options);
    if (this.#isClosed) pool.close();
    this.#pools.set(origin, pool);
    return pool;
  }
}

/** What a route gets to know of a request. */
export interface RouteInput {
  readonly request: Request;
  /** What stood in the place of each `:name`, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** Segments below `/sandbox/`; one like `:id` stands for any. */
  readonly path: string;
  readonly answer: (input: RouteInput) => Response | Promise<Response>;
}

export interface MatchedRoute {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

export interface UnmatchedRoute {
  /** The methods that the path knows; none for an unknown path. */
  readonly allowed: readonly string[];
}

export function matchRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): MatchedRoute | UnmatchedRoute {
  const candidates = routes.flatMap((route) => {
    const params = paramsOf(route.path, path);
    return params ? [{ route, params }] : [];
  });
  const found = candidates.find(({ route }) => route.method === method);
  return found ?? { allowed: candidates.map(({ route }) => route.method) };
}

function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const names = pattern.split("/");
  const values = path.split("/");
  if (names.length !== values.length) return undefined;

  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? "";
    if (name.startsWith(":")) params[name.slice(1)] = decoded(value);
    else if (name !== value) return undefined;
  }
  return params;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Finds the route of a request. */

import findMyWay from 'find-my-way';
import type { Route } from './route.ts';

export type RouteMatch =
  | { readonly kind: 'route'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  /** The path exists, but not for this method. */
  | { readonly kind: 'wrong-method' }
  | { readonly kind: 'unknown' };

const methods = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'] as const;

/** Certnames and file names may be longer than find-my-way's default of 100 characters. */
const maxParamLength = 8192;

export class RouteTable {
  private readonly routes: readonly Route[];
  private built: ReturnType<typeof findMyWay> | undefined;

  /** @throws Error when two routes have the same method and path */
  constructor(routes: readonly Route[]) {
    const known = new Set<string>();
    for (const { method, path } of routes) {
      // What parameters are called makes no difference.
      const name = `${method} ${path.replaceAll(/:\w+/g, ':')}`;
      if (known.has(name)) throw new Error(`there are two routes ${method} ${path}`);
      known.add(name);
    }
    this.routes = routes;
  }

  /** @param path - percent-encoded, without the query; HEAD falls back to GET */
  find(method: string, path: string): RouteMatch {
    const verb = methods.find((known) => known === method);
    const found = verb === undefined ? null : this.router().find(verb, path);
    const result = found === null && method === 'HEAD' ? this.router().find('GET', path) : found;
    if (result !== null) {
      return { kind: 'route', route: result.store as Route, params: result.params as Record<string, string> };
    }
    const exists = methods.some((known) => this.router().find(known, path) !== null);
    return { kind: exists ? 'wrong-method' : 'unknown' };
  }

  /** Made for the first request: it compiles code for each route, and a server has many ports of which some are hardly used. */
  private router(): ReturnType<typeof findMyWay> {
    if (this.built !== undefined) return this.built;
    const router = findMyWay({ maxParamLength, caseSensitive: true });
    for (const route of this.routes) router.on(route.method, route.path, unused, route);
    this.built = router;
    return router;
  }
}

function unused(): void {
  // The router wants a handler with each route; we only ask it which route it found.
}

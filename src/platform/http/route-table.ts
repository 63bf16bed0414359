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
  private readonly router = findMyWay({ maxParamLength, caseSensitive: true });

  /** @throws Error when two routes have the same method and path */
  constructor(routes: readonly Route[]) {
    for (const route of routes) this.router.on(route.method, route.path, unused, route);
  }

  /** @param path - percent-encoded, without the query; HEAD falls back to GET */
  find(method: string, path: string): RouteMatch {
    const verb = methods.find((known) => known === method);
    const found = verb === undefined ? null : this.router.find(verb, path);
    const result = found === null && method === 'HEAD' ? this.router.find('GET', path) : found;
    if (result !== null) {
      return { kind: 'route', route: result.store as Route, params: result.params as Record<string, string> };
    }
    const exists = methods.some((known) => this.router.find(known, path) !== null);
    return { kind: exists ? 'wrong-method' : 'unknown' };
  }
}

function unused(): void {
  // The router wants a handler with each route; we only ask it which route it found.
}

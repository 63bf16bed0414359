/** The console has no privileges: all requests of its pages are documented and work with a token. */

import { expect, test } from 'vitest';
import { allPages } from './every-page.ts';
import { origin, password, usersApi } from './support/console-site.ts';
import type { ConsoleWindow } from './support/console-window.ts';

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What is to be seen of the APIs. */
const fewestCalled = 60;
/** The other scenarios make thousands. */
const fewRequests = 500;

export function apiScenario(window: ConsoleWindow): void {
  const { open, page, visitor } = window;

  test('every request of the pages is in the OpenAPI document and works with a token', async () => {
    const { request } = page();
    // Without the scenarios before, it has to see the pages itself.
    if (visitor().requests.length < fewRequests) {
      for (const address of Object.values(await allPages(window))) await open(address);
      visitor().complaints.splice(0); // a filter was refused
    }
    const document = (await (await request.get(`${origin}/console-api/v1/openapi`)).json()) as Description;
    const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
      Object.keys(methods).map((method) => ({
        name: `${method.toUpperCase()} ${template}`,
        method: method.toUpperCase(),
        pattern: new RegExp(`^${template.replaceAll(/\{rest\}/g, '.+').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      })),
    );
    // Of two that fit, the one with fewer parameters is meant: `/jobs/next` and `/jobs/{id}`.
    operations.sort((a, b) => a.name.split('{').length - b.name.split('{').length);
    const asked = visitor().requests.filter(({ url }) => isApi(new URL(url).pathname));
    const undescribed = new Set<string>();
    const called = new Map<string, string>();
    for (const { method, url } of asked) {
      const { pathname } = new URL(url);
      const found = operations.find((each) => each.method === method && each.pattern.test(pathname));
      if (found === undefined) undescribed.add(`${method} ${pathname}`);
      else called.set(found.name, url);
    }

    expect(Array.from(undescribed)).toEqual([]);
    expect(called.size).toBeGreaterThan(fewestCalled);

    const login = await request.post(`${usersApi}/v1/auth/token`, {
      data: { login: 'admin', password, lifetime: '10m' },
    });
    const { token } = (await login.json()) as { readonly token: string };
    const differing: string[] = [];
    for (const [name, url] of called) {
      if (!name.startsWith('GET ') || isEndless(name)) continue;
      const withSession = (await request.get(url)).status();
      const withToken = (await request.get(url, { headers: { 'X-Authentication': token } })).status();
      if (withSession !== withToken) differing.push(`${name}: ${withSession} and ${withToken}`);
    }

    expect(differing).toEqual([]);
  });
}

/** Pages, their files and the log-in are not APIs. */
function isApi(path: string): boolean {
  return /^\/[\w-]+\/v\d+(?:\/|$)/.test(path);
}

/** Events come as long as somebody listens. */
function isEndless(name: string): boolean {
  return name === 'GET /console-api/v1/events';
}

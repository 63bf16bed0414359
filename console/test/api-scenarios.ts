/** The console has no privileges: all requests of its pages are documented and work with a token. */

import { expect, test } from 'vitest';
import { z } from 'zod';
import { allPages } from './every-page.ts';
import type { Visitor } from './support/browser.ts';
import { origin, password, usersApi } from './support/console-site.ts';
import type { ConsoleWindow } from './support/console-window.ts';

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

type Schema = Parameters<typeof z.fromJSONSchema>[0];

interface Described {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

interface Operation {
  /** `GET /orchestrator/v1/jobs/{id}` */
  readonly name: string;
  readonly method: string;
  readonly pattern: RegExp;
  /** Of its answer, where the document has it. */
  readonly shape: z.ZodType | undefined;
}

/** Operations that all scenarios call; with fewer, the pages have to be opened first. */
const usuallyCalled = 60;
/** Those that pages call when they are opened. */
const fewestCalled = 45;

export function apiScenario(window: ConsoleWindow): void {
  const { open, page, visitor } = window;

  test('every request of the pages is in the OpenAPI document, works with a token, and is answered in its shape', async () => {
    const { request } = page();
    const operations = operationsOf(
      (await (await request.get(`${origin}/console-api/v1/openapi`)).json()) as Description,
    );
    let { called, undescribed } = callsIn(operations, visitor().requests);
    if (called.size <= usuallyCalled) {
      // Without all of the scenarios before, it sees the pages itself.
      for (const address of Object.values(await allPages(window))) await open(address);
      visitor().complaints.splice(0); // a filter was refused
      ({ called, undescribed } = callsIn(operations, visitor().requests));
    }

    expect(Array.from(undescribed)).toEqual([]);
    expect(called.size).toBeGreaterThan(fewestCalled);

    const login = await request.post(`${usersApi}/v1/auth/token`, {
      data: { login: 'admin', password, lifetime: '10m' },
    });
    const { token } = (await login.json()) as { readonly token: string };
    const differing: string[] = [];
    const misshapen: string[] = [];
    for (const [operation, url] of called) {
      const { method, name, shape } = operation;
      if (method !== 'GET' || isEndless(name)) continue;
      const withSession = await request.get(url);
      const withToken = await request.get(url, { headers: { 'X-Authentication': token } });
      if (withSession.status() !== withToken.status())
        differing.push(`${name}: ${withSession.status()} and ${withToken.status()}`);
      if (shape !== undefined && withSession.ok())
        misshapen.push(...mistakesIn(operation, await withSession.json()));
    }
    for (const { body, method, url } of visitor().answers) {
      const operation = operationOf(operations, method, url);
      const answer = await body;
      if (operation !== undefined && answer !== undefined) misshapen.push(...mistakesIn(operation, answer));
    }

    expect(differing).toEqual([]);
    expect(misshapen).toEqual([]);
  });
}

/** The last address of each operation that pages have called, and what the document does not have. */
function callsIn(operations: readonly Operation[], requests: Visitor['requests']) {
  const undescribed = new Set<string>();
  const called = new Map<Operation, string>();
  for (const { method, url } of requests) {
    const { pathname } = new URL(url);
    if (!isApi(pathname)) continue;
    const found = operationOf(operations, method, url);
    if (found === undefined) undescribed.add(`${method} ${pathname}`);
    else called.set(found, url);
  }
  return { called, undescribed };
}

/** Of two that fit, the one with fewer parameters comes first: `/jobs/next` and `/jobs/{id}`. */
function operationsOf({ paths }: Description): readonly Operation[] {
  return Object.entries(paths)
    .flatMap(([template, methods]) =>
      Object.entries(methods).map(([method, { responses }]): Operation => {
        const schema = responses['2XX']?.content?.['application/json']?.schema;
        return {
          name: `${method.toUpperCase()} ${template}`,
          method: method.toUpperCase(),
          pattern: new RegExp(`^${template.replaceAll(/\{rest\}/g, '.+').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
          shape: schema === undefined ? undefined : z.fromJSONSchema(schema),
        };
      }),
    )
    .sort((a, b) => a.name.split('{').length - b.name.split('{').length);
}

function operationOf(operations: readonly Operation[], method: string, url: string): Operation | undefined {
  const { pathname } = new URL(url);
  return operations.find((each) => each.method === method && each.pattern.test(pathname));
}

/** What an answer has in another way than the document says. */
function mistakesIn({ name, shape }: Operation, answer: unknown): readonly string[] {
  const mistakes = shape?.safeParse(answer).error?.issues ?? [];
  return mistakes.map(({ message, path }) => `${name}: ${path.join('.')}: ${message}`);
}

/** Pages, their files and the log-in are not APIs. */
function isApi(path: string): boolean {
  return /^\/[\w-]+\/v\d+(?:\/|$)/.test(path);
}

/** Events come as long as somebody listens. */
function isEndless(name: string): boolean {
  return name === 'GET /console-api/v1/events';
}

/** The console has no privileges: all requests of its pages are documented and work with a token. */

import { expect, test } from 'vitest';
import {
  type DescribedApi,
  type DescribedShapes,
  mistakesIn,
  shapesOf,
} from '../../test/support/described-shapes.ts';
import { allPages } from './every-page.ts';
import type { Visitor } from './support/browser.ts';
import { origin, password, usersApi } from './support/console-site.ts';
import type { ConsoleWindow } from './support/console-window.ts';

interface Operation extends DescribedShapes {
  /** `GET /orchestrator/v1/jobs/{id}` */
  readonly name: string;
  readonly method: string;
  readonly pattern: RegExp;
}

/** Operations that all scenarios call; with fewer, the pages have to be opened first. */
const usuallyCalled = 60;
/** Those that pages call when they are opened. */
const fewestCalled = 45;

export function apiScenario(window: ConsoleWindow): void {
  const { open, page, visitor, visitors } = window;

  test('every request of the pages is in the OpenAPI document, works with a token, and matches its schemas', async () => {
    const { request } = page();
    const operations = operationsOf(
      (await (await request.get(`${origin}/console-api/v1/openapi`)).json()) as DescribedApi,
    );
    const requests = () => visitors.flatMap((each) => each.requests);
    let { called, undescribed } = callsIn(operations, requests());
    if (called.size <= usuallyCalled) {
      // Without all of the scenarios before, it sees the pages itself.
      for (const address of Object.values(await allPages(window))) await open(address);
      visitor().complaints.splice(0); // a filter was refused
      ({ called, undescribed } = callsIn(operations, requests()));
    }

    expect(Array.from(undescribed)).toEqual([]);
    expect(called.size).toBeGreaterThan(fewestCalled);

    const login = await request.post(`${usersApi}/v1/auth/token`, {
      data: { login: 'admin', password, lifetime: '10m' },
    });
    const { token } = (await login.json()) as { readonly token: string };
    const differing: string[] = [];
    for (const [{ method, name }, url] of called) {
      if (method !== 'GET' || isEndless(name)) continue;
      const withSession = await request.get(url);
      const withToken = await request.get(url, { headers: { 'X-Authentication': token } });
      if (withSession.status() !== withToken.status())
        differing.push(`${name}: ${withSession.status()} and ${withToken.status()}`);
    }

    expect(differing).toEqual([]);
    expect(await misshapenIn(operations, visitors)).toEqual([]);
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
function operationsOf({ paths }: DescribedApi): readonly Operation[] {
  return Object.entries(paths)
    .flatMap(([template, methods]) =>
      Object.entries(methods).map(
        ([method, described]): Operation => ({
          name: `${method.toUpperCase()} ${template}`,
          method: method.toUpperCase(),
          pattern: new RegExp(`^${template.replaceAll(/\{rest\}/g, '.+').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
          ...shapesOf(described),
        }),
      ),
    )
    .sort((a, b) => a.name.split('{').length - b.name.split('{').length);
}

function operationOf(operations: readonly Operation[], method: string, url: string): Operation | undefined {
  const { pathname } = new URL(url);
  return operations.find((each) => each.method === method && each.pattern.test(pathname));
}

/** Bodies and answers that do not match the document, or have no schema in it. */
async function misshapenIn(
  operations: readonly Operation[],
  visitors: readonly Visitor[],
): Promise<readonly string[]> {
  const mistakes = new Set<string>();
  for (const { method, received, sent, url } of visitors.flatMap(({ exchanges }) => exchanges)) {
    const operation = operationOf(operations, method, url);
    if (operation === undefined || isOfPuppetDb(operation)) continue;
    const { answer, body, name } = operation;
    for (const mistake of problemsIn(body, sent)) mistakes.add(`body of ${name}: ${mistake}`);
    for (const mistake of problemsIn(answer, await received)) mistakes.add(`${name}: ${mistake}`);
  }
  return Array.from(mistakes).sort();
}

function problemsIn(shape: DescribedShapes['body'], value: unknown): readonly string[] {
  if (value === undefined || (shape === undefined && isEmpty(value))) return [];
  return shape === undefined ? ['no schema'] : mistakesIn(shape, value);
}

/** Clients send an empty object where no parameter is needed. */
function isEmpty(value: unknown): boolean {
  return JSON.stringify(value) === '{}';
}

/** The query decides which columns rows have, and PuppetDB's documentation describes its commands. */
function isOfPuppetDb({ name }: Operation): boolean {
  return name.includes(' /pdb/');
}

/** Pages, their files and the log-in, of which SAML is a part, are not APIs. */
function isApi(path: string): boolean {
  return /^\/(?!saml\/)[\w-]+\/v\d+(?:\/|$)/.test(path);
}

/** Events come as long as somebody listens. */
function isEndless(name: string): boolean {
  return name === 'GET /console-api/v1/events';
}

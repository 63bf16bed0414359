/** What Puppet Server says about tasks and plans, good and bad, and what we say. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpRequest, Route } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { TaskCatalogue, tasksRoutes } from './index.ts';
import type { CodeVersion } from './termini.ts';

interface Exchange {
  readonly target: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const recording: {
  readonly files: Readonly<Record<string, string>>;
  readonly exchanges: readonly Exchange[];
} = JSON.parse(
  readFileSync(new URL('../../../test/recorded/tasks/puppetserver.json', import.meta.url), 'utf8'),
);

/** Where the message is that of a library of Ruby, or shows a value as Ruby does. */
const otherMessages = /broken\/(unparseable|implfiles)/;

describe('answers as recorded', () => {
  let code = '';
  let routes: readonly Route[] = [];

  beforeAll(async () => {
    code = await mkdtemp(join(tmpdir(), 'bunraku-tasks-'));
    for (const [path, text] of Object.entries(recording.files)) {
      await mkdir(dirname(join(code, path)), { recursive: true });
      await writeFile(join(code, path), text);
    }
    const withVersion = (environment: string) => versionOf(code, environment);
    routes = tasksRoutes(new TaskCatalogue({ code: { withVersion }, log: silentLogger }));
  });
  afterAll(async () => {
    await rm(code, { recursive: true, force: true });
  });

  // What no route takes is answered by the server, and tested there.
  const routed = recording.exchanges.filter(({ contentType }) => !contentType.startsWith('text/html'));

  test('there are recordings', () => {
    expect(routed.length).toBeGreaterThan(60);
  });

  test.each(routed.map((exchange) => [exchange.target, exchange] as const))(
    '%s',
    async (target, exchange) => {
      const answer = await ask(routes, target);

      expect(answer.status).toBe(exchange.status);
      expect(answer.headers?.['content-type'] ?? '').toBe(exchange.contentType);
      expect(comparable(String(answer.body), target)).toEqual(
        comparable(exchange.body.replaceAll('CODE', '/code'), target),
      );
    },
  );
});

function versionOf(code: string, environment: string): CodeVersion | undefined {
  const directory = join(code, 'environments', environment);
  if (!existsSync(directory)) return undefined;
  const modulePath = [join(directory, 'modules'), join(directory, 'site', 'own'), join(code, 'modules')];
  return {
    codeId: environment === 'versioned' ? 'abc123' : null,
    directory,
    logicalDirectory: `/code/environments/${environment}`,
    modules: modulePath.flatMap((parent) =>
      readdirSync(parent).map((name) => ({ name, directory: join(parent, name) })),
    ),
  };
}

async function ask(routes: readonly Route[], target: string) {
  const url = new URL(target, 'https://localhost');
  const segments = url.pathname.split('/');
  for (const route of routes) {
    const pattern = route.path.split('/');
    const isFitting =
      pattern.length === segments.length &&
      pattern.every((part, index) => part.startsWith(':') || part === segments[index]);
    if (!isFitting) continue;
    const params = Object.fromEntries(pattern.map((part, index) => [part.slice(1), segments[index] ?? '']));
    return await route.handle({ query: url.searchParams, params } as unknown as HttpRequest);
  }
  throw new Error(`no route for ${target}`);
}

/** Lists have the order of the file system there. Code that has no version is recorded with an empty one. */
function comparable(body: string, target: string): unknown {
  if (!/^[[{]/.test(body)) return body;
  const value: unknown = JSON.parse(body);
  if (Array.isArray(value)) return byName(value.filter(isOfRecordedModule), 'name');
  const { files, msg, ...rest } = value as { files?: { filename: string; uri: unknown }[]; msg?: string };
  return {
    ...rest,
    ...(msg === undefined || otherMessages.test(target) ? {} : { msg }),
    ...(files === undefined
      ? {}
      : { first: files[0]?.filename, files: byName(files.map(withoutVersion), 'filename') }),
  };

  function withoutVersion(file: { readonly uri: unknown }) {
    return target.includes('environment=production') ? { ...file, uri: undefined } : file;
  }
}

/** The server that was recorded had modules of its machine, too. */
function isOfRecordedModule({ name }: { readonly name: string }): boolean {
  return Object.keys(recording.files).some((path) => path.includes(`/${name.split('::')[0]}/tasks/`));
}

function byName<T>(list: readonly T[], name: string): readonly T[] {
  const key = (entry: T) => String((entry as Readonly<Record<string, unknown>>)[name]);
  return list.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

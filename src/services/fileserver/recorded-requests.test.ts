import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fixture, makeFixture, type Tree } from './fileserver-fixture.testing.ts';
import type { MetadataWire } from './wire.ts';

/** One request of a real agent and the reply of a real server. */
interface Exchange {
  readonly target: string;
  readonly requestHeaders: readonly string[];
  readonly status: number;
  readonly replyHeaders: readonly string[];
  readonly replyBody: string;
}

const samples = new URL('../../../test/recorded/agent/', import.meta.url);
const code = '/opt/recorder/code/environments';

describe('replies as recorded', () => {
  const exchanges = recordedExchanges();
  const fixtures = new Map<string, Fixture>();

  beforeAll(async () => {
    for (const environment of ['trace', 'production']) {
      fixtures.set(environment, await fixtureOf(environment, exchanges));
    }
  });
  afterAll(async () => {
    for (const fixture of fixtures.values()) await fixture.remove();
  });

  test('there are recordings', () => {
    expect(exchanges.length).toBeGreaterThan(30);
  });

  test.each(exchanges.map((exchange) => [exchange.target, exchange] as const))(
    '%s',
    async (target, exchange) => {
      const environment = new URL(target, 'https://localhost').searchParams.get('environment') ?? '';
      const fixture = fixtures.get(environment) ?? fixtures.get('trace');

      const reply = await fixture?.get(target, { accept: headerOf(exchange.requestHeaders, 'Accept') });

      expect(reply?.status).toBe(exchange.status);
      expect(reply?.headers?.['content-type']).toBe(headerOf(exchange.replyHeaders, 'Content-Type'));
      if (exchange.replyBody.endsWith('...(cut)')) return;
      expect(comparable(reply?.text ?? '', environment)).toEqual(comparable(exchange.replyBody, environment));
    },
  );
});

function recordedExchanges(): readonly Exchange[] {
  const found = new Map<string, Exchange>();
  for (const file of readdirSync(samples).filter((name) => name.startsWith('run'))) {
    const run: { exchanges: readonly Exchange[] } = JSON.parse(readFileSync(new URL(file, samples), 'utf8'));
    for (const exchange of run.exchanges) {
      const { target, status } = exchange;
      const isOurs = /\/puppet\/v3\/(file_metadata|file_content|static_file_content)/.test(target);
      // `files` is a mount of fileserver.conf; the other environments have no files of their own.
      const isKnown =
        /environment=(trace|production|nosuch)/.test(target) && !target.includes('/files/m.txt');
      if (isOurs && isKnown) found.set(`${target} ${status}`, exchange);
    }
  }
  return [...found.values()];
}

function headerOf(headers: readonly string[], name: string): string {
  return headers.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
}

/** An environment made from the recordings: with contents that were kept. */
async function fixtureOf(environment: string, exchanges: readonly Exchange[]): Promise<Fixture> {
  const tree: Record<string, Tree[string]> = {};
  const modules = new Set<string>();
  for (const { target, status, replyBody } of exchanges) {
    if (
      !target.includes('file_metadatas') ||
      !target.includes(`environment=${environment}`) ||
      status !== 200
    )
      continue;
    for (const entry of JSON.parse(replyBody) as MetadataWire[]) {
      const module = moduleOf(entry);
      if (module === undefined) continue;
      modules.add(module.name);
      const path = `modules/${module.name}/${module.folder}/${entry.relative_path}`;
      if (entry.type === 'directory') tree[`${path}/`] = '';
      else if (entry.type === 'link') tree[path] = { link: entry.destination ?? '' };
      else tree[path] = contentOf(entry, exchanges);
    }
  }
  for (const name of ['one', 'two']) tree[`modules/tracer/files/${name}.txt`] = `${name}\n`;
  return await makeFixture({
    modules: [...modules],
    tree,
    environment,
    codeId: 'code-1234-trace',
    logicalDirectory: `${code}/${environment}`,
  });
}

function moduleOf({ path }: MetadataWire) {
  const [, name, folder] = /\/modules\/([^/]+)\/(.+)$/.exec(path) ?? [];
  return name === undefined || folder === undefined ? undefined : { name, folder };
}

function contentOf(entry: MetadataWire, exchanges: readonly Exchange[]): Tree[string] {
  const sent = exchanges.find(
    ({ target }) => target.includes(`file_content`) && target.includes(`/${entry.relative_path}?`),
  );
  const content = sent?.replyBody ?? '';
  return { content, mode: entry.mode };
}

/** What a copy of the tree cannot have the same: times, digests of contents that were not kept, sibling order. */
function comparable(body: string, environment: string): unknown {
  if (!body.startsWith('['))
    return body.startsWith('{"path"') ? withoutTimes(JSON.parse(body), environment) : body;
  const entries = (JSON.parse(body) as MetadataWire[]).map((entry) => withoutTimes(entry, environment));
  const levels = entries.map(({ path, relative_path }) => `${path} ${relative_path?.split('/').length}`);
  const sorted = entries.toSorted((a, b) => ((a.relative_path ?? '') < (b.relative_path ?? '') ? -1 : 1));
  return { levels, sorted };
}

function withoutTimes(entry: MetadataWire, environment: string) {
  const isKept = environment === 'trace' && entry.relative_path !== 'big';
  const value = entry.checksum.type === 'ctime' || !isKept ? entry.checksum.type : entry.checksum.value;
  // Modules outside the environment were recorded; the copy has them inside. Only root can give files away.
  const path = entry.path.replace('/opt/recorder/code/modules', `${code}/${environment}/modules`);
  const owner = entry.owner === 103 ? 103 : 'of the file';
  return {
    ...entry,
    path,
    owner,
    group: owner === 103 ? entry.group : owner,
    checksum: { ...entry.checksum, value },
  };
}

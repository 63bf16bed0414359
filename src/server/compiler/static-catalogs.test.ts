import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MODULE_ROOTS } from '../../../test/support/canonical-catalog.ts';
import { defaultLanguageSettings } from '../../language/environment/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { StaticCatalogs } from '../../services/compiler/index.ts';
import { EnvironmentRegistry, type ServedEnvironment } from '../../services/environments/index.ts';
import { FileServer } from '../../services/fileserver/index.ts';
import { fileMetadata } from './file-metadata.ts';

type SourcedFile = Parameters<StaticCatalogs['inline']>[0]['files'][number];
type Json = Record<string, unknown>;

const fleet = fileURLToPath(new URL('../../../test/recorded/fleet', import.meta.url));
const encoder = new TextEncoder();

/** Static catalogs of one environment on disk, as the version `v1`. */
async function open(directory: string) {
  const registry = new EnvironmentRegistry({
    environmentPath: join(directory, '..'),
    defaults: {
      basemodulepath: [],
      defaultManifest: './manifests',
      disablePerEnvironmentManifest: false,
      variables: {},
    },
    staticCatalogs: true,
    language: () => defaultLanguageSettings,
    log: silentLogger,
    now: () => 0,
  });
  const environment = await registry.load({
    environment: 'production',
    codeId: 'v1',
    directory,
    logicalDirectory: directory,
  });
  const files = new FileServer({
    codeDirectory: '/nowhere/code',
    code: { withVersion: (_name, codeId) => (codeId === 'v1' ? served(environment) : undefined) },
    log: silentLogger,
    fileserverConf: '/nowhere',
    owner: { uid: 0, gid: 0 },
    now: Date.now,
    steadyMs: () => performance.now(),
  });
  const catalogs = new StaticCatalogs(fileMetadata(files));
  return async (...sourced: readonly SourcedFile[]): Promise<Json> => {
    const { config } = environment;
    const catalog = encoder.encode('{"name":"n"}');
    const request = { certname: 'n', catalog, files: sourced, config, checksumType: 'sha256' };
    return JSON.parse(new TextDecoder().decode(await catalogs.inline(request)));
  };
}

function served({ codeId, config, directory, modulePath, modules }: ServedEnvironment) {
  return { codeId, modules, modulePath, directory, logicalDirectory: config.directory };
}

function file(title: string, sources: readonly string[], more: Partial<SourcedFile> = {}): SourcedFile {
  const given = sources.length === 1 ? String(sources[0]) : JSON.stringify(sources);
  return { title, sources, given, recurses: false, takesFirst: true, query: [], ...more };
}

describe('static catalogs of the fleet', () => {
  it.each(['app03.iad2.example.com', 'files01.iad2.example.com'])(
    '%s: the same metadata',
    async (certname) => {
      const recorded = JSON.parse(
        gunzipSync(readFileSync(join(fleet, 'static', `${certname}.json.gz`))).toString('utf8'),
      );
      const inline = await open(join(fleet, 'environments/production'));

      const found = await inline(...recorded.resources.flatMap(sourcedFile));

      expect(canonical(found['metadata'])).toEqual(recorded.metadata);
      expect(canonical(found['recursive_metadata'])).toEqual(recorded.recursive_metadata);
    },
  );

  it('fails for a file that is not there, as recorded for web01', async () => {
    const recorded = JSON.parse(readFileSync(join(fleet, 'static/web01.fra1.example.com.json'), 'utf8'));
    const inline = await open(join(fleet, 'environments/production'));

    const missing = inline(file('/etc/default/rsyslog', ['puppet:///modules/rsyslog/rsyslog_default']));

    await expect(missing).rejects.toThrow(String(recorded.error.message).replace('Server Error: ', ''));
  });
});

describe('a static catalog', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'static-'));
    await mkdir(join(directory, 'modules/m/files/d'), { recursive: true });
    await writeFile(join(directory, 'modules/m/files/a'), 'a');
    await writeFile(join(directory, 'modules/m/files/d/b'), 'b');
  });
  afterEach(async () => {
    await rm(directory, { recursive: true });
  });

  it('has the first source that is there', async () => {
    const inline = await open(directory);

    const found = await inline(file('/x', ['puppet:///modules/m/none', 'puppet:///modules/m/a']));

    expect(found).toMatchObject({
      name: 'n',
      metadata: { '/x': { content_uri: 'puppet:///modules/m/files/a', source: 'puppet:///modules/m/a' } },
    });
  });

  it('has all sources of a directory whose sources are merged', async () => {
    const inline = await open(directory);
    const sources = ['puppet:///modules/m/d', 'puppet:///modules/m/none', 'puppet:///modules/m/a'];

    const found = await inline(file('/x', sources, { recurses: true, takesFirst: false }));

    expect(found).toMatchObject({
      recursive_metadata: {
        '/x': {
          'puppet:///modules/m/d': [
            { relative_path: '.', content_uri: 'puppet:///modules/m/files/d' },
            { relative_path: 'b', content_uri: 'puppet:///modules/m/files/d/b' },
          ],
          'puppet:///modules/m/a': [{ relative_path: '.' }],
        },
      },
    });
  });

  it('says nothing of files of another server', async () => {
    const inline = await open(directory);

    expect(await inline(file('/x', ['puppet://other.example.net/modules/m/a']))).toEqual({ name: 'n' });
  });

  it('takes the checksum that the resource asks for', async () => {
    const inline = await open(directory);

    const found = await inline(file('/x', ['puppet:///modules/m/a'], { query: [['checksum_type', 'md5']] }));

    expect(found).toMatchObject({
      metadata: { '/x': { checksum: { type: 'md5', value: '{md5}0cc175b9c0f1b6a831c399e269772661' } } },
    });
  });

  it('cannot be made for a mount that is not there', async () => {
    const inline = await open(directory);

    await expect(inline(file('/x', ['puppet:///nowhere/a']))).rejects.toThrow('nowhere/a');
  });
});

/** What a worker says of a resource, here from its catalog. */
function sourcedFile({ type, title, parameters = {} }: Json): SourcedFile[] {
  const { ignore, recurse, source, sourceselect } = parameters as Json;
  if (type !== 'File' || source === undefined) return [];
  const sources = [source].flat().map(String);
  if (!sources.every((text) => text.startsWith('puppet:'))) return [];
  const query = [ignore ?? []].flat().map((pattern) => ['ignore', String(pattern)] as const);
  const more = {
    recurses: recurse === true || recurse === 'remote',
    takesFirst: sourceselect !== 'all',
    query,
  };
  return [file(String(title), sources, more)];
}

/** As recorded: paths shortened, files by name, and times, which differ from disk to disk, left out. */
function canonical(value: unknown): unknown {
  const roots = [[`${fleet}/environments/`, ''] as const, ...MODULE_ROOTS];
  return JSON.parse(JSON.stringify(value ?? {}), (_key, item: unknown) => {
    if (Array.isArray(item)) return item.toSorted((a, b) => (a.relative_path < b.relative_path ? -1 : 1));
    if (typeof item !== 'string') return item;
    if (item.startsWith('{ctime}')) return '{ctime}';
    return roots.reduce((text, [from, to]) => text.replaceAll(from, to), item);
  });
}

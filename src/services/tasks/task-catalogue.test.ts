import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import { TaskCatalogue } from './task-catalogue.ts';

const directories: string[] = [];

afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true });
});

describe('the catalogue of tasks', () => {
  test('names a file by its version where the code has versions', async () => {
    const { catalogue } = await catalogueOf({ 'modules/m/tasks/go.sh': 'echo go\n' }, 'abc');

    const answer = await catalogue.task('production', 'm::go');

    expect(answer).toMatchObject({
      kind: 'found',
      value: {
        files: [
          {
            filename: 'go.sh',
            sha256: createHash('sha256').update('echo go\n').digest('hex'),
            sizeBytes: 8,
            uri: {
              path: '/puppet/v3/static_file_content/modules/m/tasks/go.sh',
              params: { environment: 'production', code_id: 'abc' },
            },
          },
        ],
      },
    });
  });

  test('names a file by its module where the code has no versions', async () => {
    const { catalogue } = await catalogueOf({ 'modules/m/tasks/go.sh': 'echo go\n' }, null);

    const answer = await catalogue.task('production', 'm::go');

    expect(answer).toMatchObject({
      value: {
        files: [
          { uri: { path: '/puppet/v3/file_content/tasks/m/go.sh', params: { environment: 'production' } } },
        ],
      },
    });
  });

  test('leaves tasks that cannot be run out of the list, and says why when one is asked for', async () => {
    const { catalogue } = await catalogueOf(
      { 'modules/m/tasks/go.sh': '', 'modules/m/tasks/bad.json': '{', 'modules/m/tasks/bad.sh': '' },
      null,
    );

    const names = (await catalogue.tasks('production'))?.map(({ name }) => name);

    expect(names).toEqual(['m::go']);
    expect(await catalogue.task('production', 'm::bad')).toMatchObject({
      kind: 'invalid',
      issue: { kind: 'puppet.tasks/unparseable-metadata' },
    });
  });

  test('survives metadata of every wrong shape', async () => {
    const texts = ['[]', '1', '"x"', '{"files":null}', '{"implementations":[1,null,[]]}', '{"files":[1]}'];
    for (const text of texts) {
      const { catalogue } = await catalogueOf(
        { 'modules/m/tasks/x.json': text, 'modules/m/tasks/x.sh': '' },
        null,
      );

      const answer = await catalogue.task('production', 'm::x');

      expect(answer.kind, text).toBe('invalid');
    }
  });

  test('lets the version go, whatever happens', async () => {
    const { catalogue, held } = await catalogueOf({ 'modules/m/tasks/bad.json': '{' }, null);

    await catalogue.tasks('production');
    await catalogue.task('production', 'm::bad');
    await catalogue.task('production', 'nosuch');
    await catalogue.plans('production');

    expect(held()).toBe(0);
  });
});

async function catalogueOf(tree: Readonly<Record<string, string>>, codeId: string | null) {
  const directory = await mkdtemp(join(tmpdir(), 'bunraku-tasks-'));
  directories.push(directory);
  for (const [path, text] of Object.entries(tree)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  let heldCount = 0;
  const catalogue = new TaskCatalogue({
    log: silentLogger,
    code: {
      withVersion(environment) {
        if (environment !== 'production') return undefined;
        heldCount += 1;
        return {
          codeId,
          directory,
          logicalDirectory: '/code/production',
          modules: [{ name: 'm', directory: join(directory, 'modules', 'm') }],
          release: () => {
            heldCount -= 1;
          },
        };
      },
    },
  });
  return { catalogue, held: () => heldCount };
}

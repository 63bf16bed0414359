import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeJoinedConfig } from './joined-config.ts';

let base: string;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'bunraku-joined-'));
});

afterAll(() => rm(base, { recursive: true }));

test('what an operator wrote stays, and joining again replaces its own part alone', async () => {
  const file = join(base, 'bunraku.conf');
  await writeFile(file, 'log_level = "debug"');

  await writeJoinedConfig(file, { primary: 'one.test:8140', certname: 'c.test' });
  await writeFile(file, `${await readFile(file, 'utf8')}compile_workers = 4\n`);
  await writeJoinedConfig(file, { primary: 'two.test:8140', certname: 'c.test' });

  const text = await readFile(file, 'utf8');
  expect(text).toBe(
    'log_level = "debug"\ncompile_workers = 4\n# written by bunraku compile-server join\n' +
      'primary = "two.test:8140"\ncertname = "c.test"\n' +
      '# end of what bunraku compile-server join has written\n',
  );
});

test('a YAML file is made when it is missing, and left alone when it exists', async () => {
  const fresh = join(base, 'fresh', 'bunraku.yaml');
  const taken = join(base, 'taken.yaml');
  await writeFile(taken, 'primary: other\n');

  expect(await writeJoinedConfig(fresh, { primary: 'one.test' })).toBe(true);
  expect(await readFile(fresh, 'utf8')).toContain('\nprimary: "one.test"\n');
  expect(await writeJoinedConfig(taken, { primary: 'one.test' })).toBe(false);
  expect(await readFile(taken, 'utf8')).toBe('primary: other\n');
});

test('settings of the primary are taken over, except those that the file or the command says itself', async () => {
  const file = join(base, 'shared.conf');
  await writeFile(file, 'Node-Terminus: plain\n');
  const shared = { compile_master_pool_address: 'pool.test', node_terminus: 'classifier' };

  await writeJoinedConfig(file, { primary: 'one.test:8140' }, shared);
  const first = await readFile(file, 'utf8');
  await writeJoinedConfig(file, { primary: 'one.test:8140' }, { compile_master_pool_address: 'new.test' });
  const second = await readFile(file, 'utf8');
  await writeJoinedConfig(file, { compile_master_pool_address: 'mine.test' }, shared);
  const third = await readFile(file, 'utf8');

  expect(first).toContain('compile_master_pool_address = "pool.test"\n');
  expect(first).not.toContain('node_terminus');
  expect(second).toContain('compile_master_pool_address = "new.test"\n');
  expect(third.match(/compile_master_pool_address.*/g)).toEqual([
    'compile_master_pool_address = "mine.test"',
  ]);
});

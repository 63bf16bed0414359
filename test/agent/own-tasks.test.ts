/** The tasks that every environment has, run as agents run them, with the Puppet of this machine. */

import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/lib/json.ts';

/** A copy: other users may not look into the directory of the project. */
let modules: string;
let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'bunraku-own-tasks-'));
  // For settings of Puppet that are not those of this machine.
  mkdirSync(join(home, 'nobody'));
  chmodSync(home, 0o755);
  chmodSync(join(home, 'nobody'), 0o777);
  modules = join(home, 'modules');
  cpSync(join(import.meta.dirname, '../../modules'), modules, { recursive: true });
});
afterAll(() => {
  rmSync(home, { recursive: true });
});

async function run(task: string, input: object, command: readonly string[] = ['sh']) {
  const [program = 'sh', ...words] = command;
  const child = spawn(program, [...words, join(modules, `${task}.sh`)], {
    env: { ...process.env, HOME: join(home, 'nobody') },
  });
  child.stdin.end(JSON.stringify(input));
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { out, err, code };
}

const resultOf = ({ out }: { readonly out: string }) => JSON.parse(out) as JsonObject;

describe.concurrent('Tasks that every environment has', () => {
  test('package says what Puppet says of a mistake', async ({ expect: check }) => {
    const wrong = await run('package/tasks/init', { action: 'status', name: 'bash', provider: 'nonsense' });

    check(resultOf(wrong)).toMatchObject({ status: 'failure', _error: { kind: 'puppet_error' } });
    check(wrong.code).toBe(1);
  });

  test('service looks at services by the providers of Puppet', async ({ expect: check }) => {
    const status = await run('service/tasks/init', { action: 'status', name: 'no-such-service' });

    check(resultOf(status)).toEqual({ status: 'stopped', enabled: 'false' });
  });

  test('bunraku::agent disables and enables the agent as itself does', async ({ expect: check }) => {
    // Locks of the superuser are those of this machine's agent.
    const ids = ['--reuid=65534', '--regid=65534', '--clear-groups'];
    const other = process.getuid?.() === 0 ? ['setpriv', ...ids, 'sh'] : ['sh'];
    const agent = (input: object) => run('bunraku/tasks/agent', input, other);

    const disabled = await agent({ action: 'disable', message: 'patching' });
    const enabled = await agent({ action: 'enable' });

    check(resultOf(disabled)).toMatchObject({ enabled: false, message: 'patching', running: false });
    check(resultOf(enabled)).toMatchObject({ enabled: true, message: null });
  });

  test('bunraku::write_file writes text to a file whose name may have anything in it', async ({
    expect: check,
  }) => {
    const path = join(home, `a 'b' "c" \\ ä`);
    const content = 'one\n"two"\\\n\n';
    const base64 = (plain: string) => Buffer.from(plain).toString('base64');

    const written = await run('bunraku/tasks/write_file', { path: base64(path), content: base64(content) });
    const refused = await run('bunraku/tasks/write_file', { path: base64('/no/such/place'), content: '' });

    check(written).toMatchObject({ code: 0, err: '' });
    check(readFileSync(path, 'utf8')).toBe(content);
    check(refused.code).toBe(1);
    check(refused.err).toContain('/no/such/place');
  });

  test('bunraku::resources asks Puppet for types and for single resources', async ({ expect: check }) => {
    const found = await run('bunraku/tasks/resources', { resources: [`File[${home}]`, 'group'] });
    const wrong = await run('bunraku/tasks/resources', { resources: ['nonsense'] });

    const { resources } = resultOf(found) as { resources: JsonObject[] };
    check(resources[0]).toMatchObject({ type: 'File', title: home, parameters: { ensure: 'directory' } });
    check(resources.find(({ type, title }) => type === 'Group' && title === 'root')).toBeDefined();
    check(resultOf(wrong)).toMatchObject({ _error: { kind: 'puppet_error' } });
  });

  test('bunraku::script runs what came along, and ends as it does', async ({ expect: check }) => {
    const script = (name: string, content: string, words: readonly string[] = []) =>
      run('bunraku/tasks/script', {
        name,
        content: Buffer.from(content).toString('base64'),
        arguments: words,
        variables: { GIVEN: 'x y' },
      });

    const [ran, killed, unknown] = await Promise.all([
      script('a.sh', '#!/bin/sh\necho "$2 and $1 and $GIVEN"; echo oh >&2; exit 3\n', ['a b', '$c']),
      script('b.sh', '#!/bin/sh\nkill -9 $$\n'),
      script('c', '#!/no/such/interpreter\n'),
    ]);

    check(ran).toEqual({ out: '$c and a b and x y\n', err: 'oh\n', code: 3 });
    check(killed.code).toBe(137);
    check(unknown.code).toBe(127);
  });
});

test('each has metadata and the files that it names', () => {
  const files = readdirSync(modules, { recursive: true, encoding: 'utf8' });
  const metadata = files.filter((file) => /tasks\/\w+\.json$/.test(file));

  expect(metadata.length).toBe(6);
  for (const file of metadata) {
    const { implementations } = JSON.parse(readFileSync(join(modules, file), 'utf8')) as {
      readonly implementations: readonly { readonly name: string; readonly files?: readonly string[] }[];
    };
    for (const { files: more = [], name } of implementations) {
      expect(existsSync(join(modules, file, '..', name))).toBe(true);
      for (const each of more) expect(existsSync(join(modules, each))).toBe(true);
    }
  }
});

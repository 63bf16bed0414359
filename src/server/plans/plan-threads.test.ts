/** Plans in threads of their own, on targets that are only pretended. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtWorker } from '../../../test/support/built-worker.ts';
import { defaultLanguageSettings } from '../../language/environment/index.ts';
import type { JsonObject } from '../../lib/json.ts';
import { silentLogger } from '../../platform/log/index.ts';
import {
  type PlanActions,
  type PlanProgress,
  PlanRunner,
  type TargetAction,
} from '../../services/plans/index.ts';
import { workerFile } from '../worker-files.ts';

let directory: string;
let released = 0;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-plans-'));
  released = 0;
});

afterEach(() => rmSync(directory, { recursive: true }));

function write(path: string, text: string): void {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function runner(): PlanRunner {
  return new PlanRunner({
    code: {
      acquire(environment) {
        if (environment !== 'production') return undefined;
        const logical = '/code/environments/production';
        const config = {
          name: environment,
          directory: logical,
          modulepath: [`${logical}/modules`],
          manifest: `${logical}/manifests`,
          configVersion: 1,
          codeId: null,
          settings: defaultLanguageSettings,
        };
        return { source: { config, physicalDirectory: directory }, release: () => (released += 1) };
      },
    },
    workerUrl: builtWorker(workerFile('plan-worker')),
    threadData: { commands: [], timeoutSeconds: 10, memoryBytes: 2 ** 29 },
    maxHeapMiB: 256,
    log: silentLogger,
  });
}

interface Ran {
  readonly progress: readonly PlanProgress[];
  readonly actions: readonly TargetAction[];
  readonly outcome: unknown;
}

async function run(
  plan: string,
  parameters: JsonObject,
  options: {
    readonly act?: PlanActions['act'];
    readonly signal?: AbortSignal;
    readonly environment?: string;
  } = {},
): Promise<Ran> {
  const progress: PlanProgress[] = [];
  const actions: TargetAction[] = [];
  const outcome = await runner().run({
    environment: options.environment ?? 'production',
    plan,
    parameters,
    signal: options.signal ?? new AbortController().signal,
    observe: (event) => progress.push(event),
    actions: {
      async act(action, context) {
        actions.push(action);
        if (options.act !== undefined) return await options.act(action, context);
        context.started('7');
        return {
          kind: 'results',
          results: action.targets.map((target) => ({ target, value: { stdout: target, exit_code: 0 } })),
        };
      },
      findTask: (_environment, name) =>
        Promise.resolve(
          name === 'm::secret'
            ? { parameters: { password: { type: 'String', sensitive: true } } }
            : undefined,
        ),
      queryPuppetdb: (query) =>
        query === 'broken'
          ? Promise.reject(new Error('PuppetDB says no'))
          : Promise.resolve(String(query).startsWith('nodes[') ? [{ certname: 'web1' }] : [{ query }]),
    },
  });
  return { progress, actions, outcome };
}

test('a plan acts on targets and returns its results', async () => {
  write(
    'modules/m/plans/init.pp',
    `plan m(TargetSpec $targets) {
      $rows = puppetdb_query('nodes {}')
      out::message($rows[0]['query'])
      notice('by the way')
      $results = run_command('hostname', $targets)
      return $results.map |$r| { $r['stdout'] }
    }`,
  );

  const { actions, outcome, progress } = await run('m', { targets: ['a', 'b'] });

  expect(outcome).toEqual({ status: 'success', value: ['a', 'b'] });
  expect(actions).toMatchObject([{ kind: 'command', command: 'hostname', targets: ['a', 'b'] }]);
  expect(progress).toMatchObject([
    { kind: 'plan-started', plan: 'm' },
    { kind: 'message', message: 'nodes {}' },
    { kind: 'log', level: 'info', message: 'by the way' },
    { kind: 'action-started', job: '7' },
    { kind: 'plan-ended', plan: 'm' },
  ]);
  expect(released).toBe(1);
});

test('blocks act beside each other', async () => {
  write(
    'modules/m/plans/init.pp',
    `plan m() {
      $names = ['a', 'b', 'c', 'd']
      return parallelize($names) |$name| {
        $first = run_command('one', $name)
        $second = run_command('two', $name)
        "\${name} \${first.first['stdout']} \${second.first['stdout']}"
      }
    }`,
  );
  let atOnce = 0;
  let most = 0;
  const act: PlanActions['act'] = async (action) => {
    most = Math.max(most, (atOnce += 1));
    await sleep(20);
    atOnce -= 1;
    const stdout = action.kind === 'command' ? action.command : '';
    return { kind: 'results', results: action.targets.map((target) => ({ target, value: { stdout } })) };
  };

  const { actions, outcome } = await run('m', {}, { act });

  expect(outcome).toEqual({
    status: 'success',
    value: ['a', 'b', 'c', 'd'].map((name) => `${name} one two`),
  });
  expect(actions).toHaveLength(8);
  expect(most).toBe(4);
});

test('an action that may not be done is a failure that plans can catch', async () => {
  write(
    'modules/m/plans/init.pp',
    `plan m() {
      $error = catch_errors() || { run_command('x', 'a') }
      return $error.kind
    }`,
  );

  const { outcome } = await run(
    'm',
    {},
    {
      act: () =>
        Promise.resolve({
          kind: 'failed',
          error: { kind: 'puppetlabs.orchestrator/not-permitted', msg: 'no' },
        }),
    },
  );

  expect(outcome).toEqual({ status: 'success', value: 'puppetlabs.orchestrator/not-permitted' });
});

test('what PuppetDB refuses ends the plan with its words', async () => {
  write('modules/m/plans/init.pp', `plan m() { puppetdb_query('broken') }`);

  const { outcome } = await run('m', {});

  expect(outcome).toMatchObject({
    status: 'failure',
    value: { kind: 'bolt/pal-error', msg: 'PuppetDB says no' },
  });
});

test('sensitive parameters are told apart, and shown nowhere', async () => {
  write(
    'modules/m/plans/init.pp',
    `plan m(Sensitive[String] $password) {
      out::message("it is \${password}")
      run_task('m::secret', 'a', 'password' => $password.unwrap)
      return({ 'given' => "\${password}" })
    }`,
  );

  const { actions, outcome, progress } = await run('m', { password: 'hush' });

  expect(actions).toMatchObject([
    { kind: 'task', parameters: [{ password: 'hush' }], sensitive: ['password'] },
  ]);
  expect(JSON.stringify([outcome, progress.filter(({ kind }) => kind !== 'action-started')])).not.toContain(
    'hush',
  );
});

test('a plan that is stopped ends, and lets go of the code', async () => {
  write('modules/m/plans/init.pp', `plan m() { out::message('begun') run_command('x', 'a') }`);
  const stop = new AbortController();
  let wasAborted = false;

  const running = run(
    'm',
    {},
    {
      signal: stop.signal,
      act: async (_action, { signal }) => {
        setTimeout(() => stop.abort(new Error('stopped by a user')), 10);
        await sleep(60_000, undefined, { signal }).catch(() => (wasAborted = true));
        return { kind: 'results', results: [] };
      },
    },
  );

  await expect(running).rejects.toThrow('stopped by a user');
  expect(released).toBe(1);
  await sleep(1);
  expect(wasAborted).toBe(true);
});

test('a plan that never waits is stopped as well', async () => {
  write('modules/m/plans/init.pp', `plan m() { Integer[1, 1000000000].each |$i| { $x = $i * 2 } }`);

  await expect(run('m', {}, { signal: AbortSignal.timeout(1500) })).rejects.toThrow('timeout');
  expect(released).toBe(1);
});

test('there is no such environment', async () => {
  await expect(run('m', {}, { environment: 'nowhere' })).rejects.toThrow('Unknown environment nowhere');
});

test('a query in PQL stands for the targets that it finds', async () => {
  write(
    'modules/m/plans/init.pp',
    `plan m(TargetSpec $targets) { return get_targets([$targets, 'other']).map |$t| { $t.name } }`,
  );

  const found = await run('m', { targets: 'nodes[certname] { certname ~ "^web" }' });
  const wrong = await run('m', { targets: 'facts[value] { name = "os" }' });

  expect(found.outcome).toEqual({ status: 'success', value: ['web1', 'other'] });
  expect(wrong.outcome).toMatchObject({
    status: 'failure',
    value: { msg: 'Rows of the query have no certname: facts[value] { name = "os" }' },
  });
});

test('large results are read in the thread of the plan', async () => {
  write(
    'modules/m/plans/init.pp',
    "plan m(TargetSpec $targets) { return run_command('x', $targets).map |$r| { $r['stdout'].length } }",
  );
  const memory = Buffer.from(JSON.stringify({ stdout: 'x'.repeat(100_000), exit_code: 0 }));
  const json = new Uint8Array(new SharedArrayBuffer(memory.length));
  json.set(memory);

  const { outcome } = await run(
    'm',
    { targets: 'web1' },
    {
      act: async (action, context) => {
        context.started('7');
        return { kind: 'results', results: action.targets.map((target) => ({ target, json })) };
      },
    },
  );

  expect(outcome).toMatchObject({ value: [100_000] });
});

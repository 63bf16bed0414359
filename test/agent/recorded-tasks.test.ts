/** Tasks, scripts and downloads: the answers and the requests for files of the C++ agent that was recorded. */

import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { machineNames, Replay, recordedSteps, type Step, sha256 } from './replay.ts';
import { RunningAgent, TestSite } from './running-agent.ts';
import { checksums, taskFiles } from './task-files.ts';
import { FileServer, TestBroker } from './test-broker.ts';

const site = new TestSite();
const broker = new TestBroker(site.broker);
const first = new FileServer(site.broker);
const second = new FileServer(site.broker);
const agent = { running: undefined as RunningAgent | undefined };
const names: (readonly [string, string])[] = [...machineNames, ...checksums];
const taskSteps = recordedSteps('v2-task');
const fileSteps = recordedSteps('v2-script-file-apply');

beforeAll(async () => {
  await broker.listen();
  const servers = [await first.listen(), await second.listen()];
  names.push(
    ['https://compile1.example.vm:8140', servers[0] ?? ''],
    ['https://compile2.example.vm:8140', servers[1] ?? ''],
  );
  names.push(['/tmp/download-demo', site.path('download')]);
  for (const server of [first, second])
    for (const [, path, text] of taskFiles) server.files.set(`/puppet/v3/file_content/${path}`, text);
  agent.running = new RunningAgent(site, {
    'broker-ws-uris': [`wss://localhost:${broker.port}/pcp2/`],
    'master-uris': servers,
  });
  agent.running.start();
  await vi.waitUntil(() => broker.isConnected, { timeout: 60_000 });
});
afterAll(async () => {
  await agent.running?.stop();
  for (const each of [broker, first, second]) await each.stop();
  site.remove();
});

describe('a task', () => {
  const served = range(taskSteps, 'task without metadata', 'task whose output is not JSON');

  test.each(served.map((step) => [step.note, step] as const))('%s', async (_note, step) => {
    first.requests.length = 0;

    await new Replay(broker, names).play(step);

    const asked = first.requests.map(({ url }) => url);
    expect(asked.toSorted()).toEqual(downloadsOf(step).toSorted());
  });

  test('is fetched from the next server when the first is busy', async () => {
    first.status = 503;
    const step = named(taskSteps, 'task with compile1 answering 503');
    // The recorded agent had lost its cache; here the file is a new one.
    const text = `${taskFiles[0]?.[2]}# changed\n`;
    for (const server of [first, second])
      server.files.set('/puppet/v3/file_content/tasks/demo/init.sh', text);
    const own = names.map(
      ([recorded, here]) => [recorded, recorded === taskFiles[0]?.[0] ? sha256(text) : here] as const,
    );

    await new Replay(broker, own).play(step);

    expect(second.requests).toHaveLength(1);
  });

  test('whose file cannot be had is given up after five rounds', async () => {
    first.status = 503;
    first.requests.length = 0;
    const steps = ['task with a file that exists nowhere', 'wrong sha256: five tries too'].map((note) =>
      named(taskSteps, note),
    );

    await Promise.all(steps.map((step) => new Replay(broker, names).play(step)));

    expect(first.requests).toHaveLength(10);
  });

  test.each(range(taskSteps, 'no files', 'no input').map((step) => [step.note, step] as const))(
    'with %s is refused',
    async (_note, step) => {
      await new Replay(broker, names).play(step);
    },
  );

  test('runs in a blocking request', async () => {
    first.status = undefined;
    await new Replay(broker, names).play(named(taskSteps, 'blocking task run'));
  });
});

describe('scripts and files', () => {
  const steps = range(fileSteps, 'script with arguments', 'file download without files');

  test.each(steps.map((step) => [step.note, step] as const))('%s', async (_note, step) => {
    await new Replay(broker, fileNames()).play(step);
  });

  test('are where the request wants them', () => {
    expect(readFileSync(site.path('download', 'a', 'one.txt'), 'utf8')).toBe('one\n');
    expect(lstatSync(site.path('download', 'plain')).mode & 0o777).toBe(0o750);
    expect(existsSync(site.path('download', 'f'))).toBe(false);
  });

  test('nothing else is sent', async () => {
    await new Replay(broker).expectNothingMore();
  });
});

/** The recorded agent had one server; the last of ours is the one that errors name. */
function fileNames(): readonly (readonly [string, string])[] {
  const [, last] = names.find(([recorded]) => recorded.includes('compile2')) ?? ['', ''];
  return [['https://compile1.example.vm:8140', last], ...names];
}

function range(steps: readonly Step[], from: string, to: string): readonly Step[] {
  const start = steps.indexOf(named(steps, from));
  return steps.slice(start, steps.indexOf(named(steps, to)) + 1);
}

function named(steps: readonly Step[], start: string): Step {
  const step = steps.find(({ note }) => note.startsWith(start));
  if (step === undefined) throw new Error(`no step ${start}`);
  return step;
}

function downloadsOf(step: Step): readonly string[] {
  return step.entries.flatMap(({ layer, request }) => (layer === 'https' && request ? [request.url] : []));
}

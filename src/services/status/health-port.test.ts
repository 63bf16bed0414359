import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import { HealthPort, type ServiceState, StatusRegistry } from './index.ts';

const workerUrl = new URL('./health-worker.ts', import.meta.url);
const opened: HealthPort[] = [];

afterEach(async () => {
  for (const health of opened.splice(0)) await health.close();
});

interface Opened {
  readonly url: string;
  readonly port: number;
  readonly health: HealthPort;
  readonly states: { server: ServiceState };
}

async function open(staleAfterMs?: number): Promise<Opened> {
  const registry = new StatusRegistry(silentLogger);
  const states: Opened['states'] = { server: 'running' };
  registry.register({ names: ['server', 'master'], version: '7', read: () => ({ state: states.server }) });
  registry.register({ names: ['ca'], version: '7', read: () => ({ state: 'running' }) });
  const options = { registry, workerUrl, port: 0, host: '127.0.0.1', log: silentLogger };
  const { health, port } = await HealthPort.open({
    ...options,
    ...(staleAfterMs === undefined ? {} : { staleAfterMs }),
  });
  opened.push(health);
  return { health, port, states, url: `http://127.0.0.1:${port}` };
}

async function get(url: string): Promise<readonly [number, string]> {
  const response = await fetch(url);
  return [response.status, await response.text()];
}

describe('The health port', () => {
  test('says what the status API says', async () => {
    const { health, states, url } = await open();
    const running = [
      await get(`${url}/status/v1/simple`),
      await get(`${url}/status/v1/simple/master`),
      await get(`${url}/status/v1/simple/none`),
      await get(`${url}/other`),
      await get(`${url}/status/v1/simple?timeout=0`),
    ];
    states.server = 'stopping';
    await health.publish();

    const stopping = [
      await get(`${url}/status/v1/simple`),
      await get(`${url}/status/v1/simple?while_stopping=404`),
      await get(`${url}/status/v1/simple/ca`),
    ];

    expect(running).toEqual([
      [200, 'running'],
      [200, 'running'],
      [404, 'not found: none'],
      [404, 'Not Found'],
      [400, '{"kind":"data-invalid","msg":"Invalid timeout. Timeout must be greater than zero but was 0"}'],
    ]);
    expect(stopping).toEqual([
      [503, 'stopping'],
      [404, 'stopping'],
      [200, 'running'],
    ]);
  });

  test('has details, too', async () => {
    const { url } = await open();

    const [status, body] = await get(`${url}/status/v1/services/ca?level=debug`);

    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ service_name: 'ca', detail_level: 'debug', state: 'running' });
  });

  test('answers while the server has no time at all', async () => {
    const { url } = await open();
    const asking = askElsewhere(`${url}/status/v1/simple`, 5);

    block(3000);

    expect(await asking).toEqual(Array.from({ length: 5 }, () => '200 running'));
  });

  test('says so when the server hangs, and when it is back', async () => {
    const { health, url } = await open(500);
    const asking = askElsewhere(`${url}/status/v1/simple`, 1, 1500);

    block(4000);
    const whileHanging = await asking;
    await health.publish();

    expect(whileHanging).toEqual(['503 unknown']);
    expect(await get(`${url}/status/v1/simple`)).toEqual([200, 'running']);
  });

  test('that is taken is told', async () => {
    const { port } = await open();
    const registry = new StatusRegistry(silentLogger);

    const attempt = HealthPort.open({ registry, workerUrl, port, host: '127.0.0.1', log: silentLogger });

    await expect(attempt).rejects.toThrowError(
      `Port ${port} for health checks can not be opened: listen EADDRINUSE`,
    );
  });
});

/** In a process of its own. @returns status and text of each answer */
async function askElsewhere(url: string, times: number, afterMs = 0): Promise<readonly string[]> {
  const program = `
    await new Promise((resolve) => setTimeout(resolve, ${afterMs}));
    for (let i = 0; i < ${times}; i += 1) {
      const answer = await fetch('${url}');
      console.log(answer.status, await answer.text());
    }`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  return stdout.trim().split('\n');
}

/** As a loop would that never ends. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

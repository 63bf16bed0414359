import { execFileSync } from 'node:child_process';
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
  readonly registry: StatusRegistry;
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
  return { health, port, registry, states, url: `http://127.0.0.1:${port}` };
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

  test('shows a service with a port of its own by its name, and leaves it out of the state of the server', async () => {
    const { health, registry, url } = await open();
    registry.register({ names: ['broker'], version: '7', isApart: true, read: () => ({ state: 'error' }) });

    await health.publish();

    const paths = ['simple', 'simple/broker', 'services/broker', 'services'];
    const answers = await Promise.all(paths.map((path) => get(`${url}/status/v1/${path}`)));
    expect(answers.map(([status]) => status)).toEqual([200, 503, 503, 200]);
    expect(answers[1]).toEqual([503, 'error']);
    expect(await registry.state()).toBe('running');
  });

  test('knows whether load balancers ask it', async () => {
    const { health, url } = await open();
    const before = health.isPolled;

    await get(`${url}/status/v1/simple`);

    await expect.poll(() => health.isPolled).toBe(true);
    expect(before).toBe(false);
  });

  test('has details, too', async () => {
    const { url } = await open();

    const [status, body] = await get(`${url}/status/v1/services/ca?level=debug`);

    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ service_name: 'ca', detail_level: 'debug', state: 'running' });
  });

  test('answers while the server has no time at all', async () => {
    const { url } = await open(3_600_000);

    const whileBusy = askElsewhere(`
      for (let i = 0; i < 5; i += 1) console.log(await answer('${url}/status/v1/simple'));`);

    expect(whileBusy).toEqual(Array.from({ length: 5 }, () => '200 running'));
  });

  test('says so when the server hangs, and when it is back', async () => {
    const { health, url } = await open(500);

    const whileHanging = askElsewhere(`
      let seen;
      do {
        await new Promise((resolve) => setTimeout(resolve, 50));
        seen = await answer('${url}/status/v1/simple');
      } while (seen === '200 running');
      console.log(seen);`);
    await health.publish();

    expect(whileHanging).toEqual(['503 unknown']);
    await expect.poll(() => get(`${url}/status/v1/simple`)).toEqual([200, 'running']);
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

/**
 * Runs a program, during which this thread, the server's, does nothing, as in a loop that never ends.
 *
 * @param program - may call `answer(url)` for status and text
 * @returns the lines that it prints
 */
function askElsewhere(program: string): readonly string[] {
  const answer = `
    async function answer(url) {
      const response = await fetch(url);
      return response.status + ' ' + (await response.text());
    }`;
  const args = ['--input-type=module', '-e', answer + program];
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim().split('\n');
}

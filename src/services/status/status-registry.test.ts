import { expect, test } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import type { DetailLevel } from './service-status.ts';
import { StatusRegistry } from './status-registry.ts';

test('details are collected at most once a second for each level, states each time', async () => {
  let nowMs = 5000;
  const asked: DetailLevel[] = [];
  const registry = new StatusRegistry(silentLogger, () => nowMs);
  registry.register({
    names: ['a', 'alias'],
    version: '1',
    read: (level) => {
      asked.push(level);
      return Promise.resolve({ state: 'running', status: asked.length });
    },
  });
  const details = async () => (await registry.readAll('info', 5)).get('alias')?.status;

  const within = [await details(), await details()];
  await registry.readAll('debug', 5);
  nowMs += 999;
  const last = await details();
  await registry.readAll('critical', 5);
  await registry.readAll('critical', 5);
  nowMs += 1;
  const later = await details();

  expect([...within, last, later]).toEqual([1, 1, 1, 5]);
  expect(asked).toEqual(['info', 'debug', 'critical', 'critical', 'info']);
});

import { expect, test } from 'vitest';
import { Metrics } from '../../platform/metrics/index.ts';
import { loadSettings } from '../../platform/settings/index.ts';
import { WorkMeter } from '../../services/autoscaler/index.ts';
import { catalogGate } from './catalog-gate.ts';

test('the meter notes admitted and refused requests, and a refused request stays refused', () => {
  const { settings } = loadSettings({
    flags: new Map(),
    environment: {},
    hostname: 'h',
    readFile: () => undefined,
  });
  const pool = { limit: 1, meanCompileMs: 60_000 };
  const meter = new WorkMeter({
    nowMs: () => 0,
    workers: 1,
    meanCompileMs: () => 60_000,
    queued: () => 0,
    eventLoop: () => 0,
  });
  const gate = catalogGate({ metrics: new Metrics(), settings }, pool, meter);

  const leave = gate.enter('/puppet/v3/catalog/First.test');
  expect(() => gate.enter('/puppet/v3/catalog/second.test')).toThrow('queued catalog requests');
  meter.compiled('first.test', 250);
  leave();
  gate.enter('/puppet/v3/catalog/third.test');

  expect(meter.unreported().runs).toEqual([
    { node: 'second.test', ageMs: 0, retryMs: expect.any(Number) },
    { node: 'first.test', ageMs: 0, workerMs: 250 },
  ]);
});

test('a node that has waited for long at other servers is let in before others', () => {
  const { settings } = loadSettings({
    flags: new Map(),
    environment: {},
    hostname: 'h',
    readFile: () => undefined,
  });
  const meanCompileMs = () => 4000;
  const meter = new WorkMeter({
    nowMs: () => 0,
    workers: 1,
    meanCompileMs,
    queued: () => 0,
    eventLoop: () => 0,
  });
  const gate = catalogGate({ metrics: new Metrics(), settings }, { limit: 1, meanCompileMs: 4000 }, meter);
  meter.noteLongWaiting(new Set(['old.test']));

  gate.enter('/puppet/v3/catalog/first.test');
  gate.enter('/puppet/v3/catalog/second.test');

  expect(() => gate.enter('/puppet/v3/catalog/new.test')).toThrow('queued catalog requests');
  expect(() => gate.enter('/puppet/v3/catalog/Old.test')).not.toThrow();
});

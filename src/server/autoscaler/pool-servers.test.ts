import { expect, test } from 'vitest';
import { inPool } from './pool-servers.ts';

const minute = 60_000;

function phaseOf(state: string, silentMs = 0): string | undefined {
  return inPool({ certname: 'compile1.test', state, report: undefined, silentMs, isOrderedToLeave: false })
    ?.phase;
}

test('servers are counted by their state for load balancers and the primary', () => {
  expect(['running', 'starting', 'leaving', 'unreachable', 'error'].map((state) => phaseOf(state))).toEqual([
    'serving',
    'warming',
    'draining',
    'lost',
    'lost',
  ]);
});

test('a server that stopped or drained does not count, nor one that joined and never came', () => {
  expect([phaseOf('stopped'), phaseOf('drained')]).toEqual([undefined, undefined]);
  expect([phaseOf('joining', minute), phaseOf('joining', 11 * minute)]).toEqual(['warming', undefined]);
});

test('a server of an earlier version does not report its work', () => {
  const server = {
    certname: 'compile1.test',
    state: 'running',
    report: undefined,
    silentMs: 0,
    isOrderedToLeave: false,
  };

  expect(inPool(server)).toEqual({
    certname: 'compile1.test',
    phase: 'serving',
    workers: 0,
    silentMs: 0,
    eventLoop: undefined,
  });
});

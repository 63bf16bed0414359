import { expect, test } from 'vitest';
import { agentMessage } from './agent-status.ts';

const now = new Date('2026-11-26T10:00:00Z');
const idle = { enabled: true, message: null, running: false, version: '8.10.0' };
const lastRun = { time: '2026-11-26T09:55:00Z', failed: 0, changed: 1 };

test.each([
  [{ ...idle, last_run: lastRun }, 'Currently idling; last completed run 5 min ago'],
  [
    { ...idle, running: true, last_run: lastRun },
    'Currently applying a catalog; last completed run 5 min ago',
  ],
  [{ ...idle, last_run: null }, 'Currently idling; no run has been completed yet'],
  [{ ...idle, enabled: false, message: 'until Friday' }, 'Disabled: until Friday'],
  [{ _error: { msg: 'no' } }, undefined],
  [undefined, undefined],
])('%j means %j', (result, message) => {
  expect(agentMessage(result, now)).toBe(message);
});

import { expect, test } from 'vitest';
import { CapacityPublisher } from './capacity-publisher.ts';

function publisher(ownUsed: () => number) {
  const sent: number[] = [];
  const clock = { nowMs: 0 };
  const made = new CapacityPublisher({
    watch: { put: async ({ value }) => void sent.push(value) },
    group: async () => 'pool',
    ownUsed,
    now: () => new Date(0),
    nowMs: () => clock.nowMs,
  });
  return { made, sent, clock };
}

test('the larger of what this server and what all servers use is sent, the latter while it is fresh', async () => {
  let used = 0.4;
  const { clock, made, sent } = publisher(() => used);

  await made.publish();
  made.note(75.5);
  await made.publish();
  used = 1.3;
  await made.publish();
  used = 0.4;
  clock.nowMs = 90_000;
  await made.publish();
  clock.nowMs = 90_001;
  await made.publish();

  expect(sent).toEqual([40, 75.5, 130, 75.5, 40]);
});

test('what is no number is not sent', async () => {
  const { made, sent } = publisher(() => Number.NaN);

  await made.publish();

  expect(sent).toEqual([]);
});

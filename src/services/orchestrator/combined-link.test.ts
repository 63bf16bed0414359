import { expect, test } from 'vitest';
import { serverItself } from '../../platform/changes/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import type { AgentLink } from './agent-link.ts';
import { combinedLink } from './combined-link.ts';
import { JobRunner } from './job-runner.ts';
import { SimulatedFleet, SimulatedStore, VirtualTime } from './simulated-fleet.testing.ts';

const calm = { calmMs: Number.POSITIVE_INFINITY, longestBreakMs: 0, doubled: 0, restarts: 0, kills: 0 };
const policy = {
  disconnectedMs: 30_000,
  disconnectedAfterRestartMs: 120_000,
  answerMs: 10_000,
  quietMs: 60_000,
  silentMs: 300_000,
  mostDeliveries: 5,
  reportRetryMs: 500,
  mostReportTries: 5,
};
const node = 'agent0';

/** An SSH server takes everything and says nothing. @param isThere - whether there is an entry for the node */
function silentSsh(isThere: () => boolean, sent: string[]): AgentLink {
  return {
    connection: () => (isThere() ? { broker: 'ssh://agent0:22', since: new Date(0) } : undefined),
    connections: () => [],
    expectedUntil: () => undefined,
    send(_, messageType) {
      sent.push(messageType);
      return Promise.resolve('sent');
    },
    listen: () => () => undefined,
  };
}

test('what was sent by SSH is never sent again by PCP, although the process crashed and the entry was deleted', async () => {
  const time = new VirtualTime();
  const store = new SimulatedStore();
  const fleet = new SimulatedFleet(time, () => 0.5, calm, 1);
  const sent: string[] = [];
  let hasEntry = true;
  let ids = 0;
  const incarnation = (): JobRunner =>
    new JobRunner({
      store: store.view((act) => Promise.resolve(act())),
      link: combinedLink(
        fleet.link((act) => Promise.resolve(act())),
        silentSsh(() => hasEntry, sent),
      ),
      findReport: () => Promise.resolve(undefined),
      policy,
      limits: { deploy: 8, task: 250 },
      nowMs: () => time.now,
      newId: () => `id-${(ids += 1)}`,
      pause: () => Promise.resolve(),
      log: silentLogger,
    });
  const first = incarnation();
  await first.start();
  const definition = {
    type: 'command',
    options: {},
    environment: '',
    owner: { id: '1', login: 'admin' },
    description: '',
  } as const;
  const request = { module: 'command', action: 'run', params: { command: 'echo' } };
  await first.add({ definition, levels: [[node]], request }, serverItself);
  await settled();
  expect(sent).toHaveLength(1);

  hasEntry = false;
  const second = incarnation();
  await second.start();
  const tick = (): void => {
    void second.tick();
    time.after(1000, tick);
  };
  tick();
  for (let step = 0; step < 500; step += 1) await time.step();

  expect(fleet.agents.get(node)?.runs).toBe(0);
  expect(store.jobs.get(1)?.actions.get(node)).toMatchObject({
    state: 'errored',
    outcome: { detail: `it is unknown whether it ran: ${node} is no longer reached by SSH` },
  });
});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

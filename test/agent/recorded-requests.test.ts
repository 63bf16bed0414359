/** Our agent gives the answers of the C++ agent that was recorded. */

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { machineNames, Replay, recordedSteps } from './replay.ts';
import { RunningAgent, TestSite } from './running-agent.ts';
import { TestBroker } from './test-broker.ts';

describe.each([
  ['requests that are answered at once', 'v2-blocking', {}],
  ['commands', 'v2-command', { 'max-message-size': 20_000 }],
] as const)('%s', (_what, recording, settings) => {
  const { replay } = connectedAgent(settings);
  const steps = recordedSteps(recording).filter(({ note }) => note !== 'start');

  test.each(steps.map((step) => [step.note, step] as const))('%s', async (_note, step) => {
    await replay().play(step);
  });

  test('nothing else is sent', async () => {
    await replay().expectNothingMore();
  });
});

function connectedAgent(settings: Readonly<Record<string, unknown>>): { readonly replay: () => Replay } {
  const site = new TestSite();
  const broker = new TestBroker(site.broker);
  const replay = new Replay(broker, machineNames);
  let agent: RunningAgent | undefined;
  beforeAll(async () => {
    await broker.listen();
    agent = new RunningAgent(site, {
      'broker-ws-uris': [`wss://localhost:${broker.port}/pcp2/`],
      ...settings,
    });
    agent.start();
    await vi.waitUntil(() => broker.isConnected, { timeout: 60_000 });
    expect(broker.upgrades).toEqual(['/pcp2/agent']);
  });
  afterAll(async () => {
    await agent?.stop();
    await broker.stop();
    site.remove();
  });
  return { replay: () => replay };
}

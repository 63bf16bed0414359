import { afterAll, expect, test } from 'vitest';
import { LocalClassifiedNodes } from './classified-nodes.ts';
import { type Client, closeAll, create, open } from './classifier.testing.ts';

afterAll(closeAll);

const rule = ['~', 'name', '.'];

const agentsChoice = { name: 'Agent-specified', rule, environment: 'agent-specified' };

async function environmentOf({ classifier }: Client): Promise<string | undefined> {
  const answer = await new LocalClassifiedNodes(classifier).find({ certname: 'a', facts: undefined });
  return answer.environment;
}

test('the environment of All Nodes is that of nodes without other groups', async () => {
  const client = await open();

  expect(await environmentOf(client)).toBe('production');
});

test('the agent chooses its environment in an agent-specified group, whatever All Nodes says', async () => {
  const client = await open();

  await create(client, agentsChoice);

  expect(await environmentOf(client)).toBeUndefined();
});

test('an agent-specified group that trumps leaves the choice to agents in other groups, too', async () => {
  const client = await open();
  await create(client, { name: 'Web', rule, environment: 'staging' });

  await create(client, { ...agentsChoice, environment_trumps: true });

  expect(await environmentOf(client)).toBeUndefined();
});

test('an agent-specified group that does not trump contradicts groups with another environment', async () => {
  const client = await open();
  await create(client, { name: 'Web', rule, environment: 'staging' });

  await create(client, agentsChoice);

  await expect(environmentOf(client)).rejects.toThrow('conflicting values for the environment');
});

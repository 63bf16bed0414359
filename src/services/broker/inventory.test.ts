import { expect, test } from 'vitest';
import { Inventory, type InventoryChange } from './inventory.ts';

const agents = { name: '*', type: 'agent' };

test('finds clients by patterns, in order', () => {
  const inventory = new Inventory();
  for (const uri of ['pcp://b/agent', 'pcp://a/agent', 'pcp://a/tool']) inventory.add(uri);

  expect(inventory.find([agents])).toEqual(['pcp://a/agent', 'pcp://b/agent']);
  expect(inventory.find([{ name: 'a', type: '*' }])).toEqual(['pcp://a/agent', 'pcp://a/tool']);
  expect(inventory.find([{ name: '*', type: '*' }])).toHaveLength(3);
  expect(inventory.find([{ name: 'c', type: 'agent' }])).toEqual([]);
});

test('tells of a client that has come again', () => {
  const inventory = new Inventory();
  const told: (readonly InventoryChange[])[] = [];
  inventory.add('pcp://a/agent');
  inventory.subscribe({}, [agents], (changes) => void told.push(changes));

  inventory.add('pcp://a/agent');
  inventory.flush();

  expect(told).toEqual([[{ client: 'pcp://a/agent', change: 1 }]]);
  expect(inventory.size).toBe(1);
});

test('tells subscribers of changes after their subscription alone, and only of those that match', () => {
  const inventory = new Inventory();
  const told: [string, readonly InventoryChange[]][] = [];
  const note = (who: string) => (changes: readonly InventoryChange[]) => void told.push([who, changes]);
  const [first, second] = [{}, {}];

  inventory.subscribe(first, [agents], note('first'));
  inventory.add('pcp://a/agent');
  inventory.subscribe(second, [{ name: 'b', type: 'agent' }], note('second'));
  inventory.remove('pcp://a/agent');
  inventory.flush();
  inventory.unsubscribe(first);
  inventory.add('pcp://b/agent');
  inventory.flush();
  inventory.flush();

  expect(told).toEqual([
    [
      'first',
      [
        { client: 'pcp://a/agent', change: 1 },
        { client: 'pcp://a/agent', change: -1 },
      ],
    ],
    ['second', [{ client: 'pcp://b/agent', change: 1 }]],
  ]);
});

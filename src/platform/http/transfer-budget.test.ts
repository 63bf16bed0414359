import { expect, test } from 'vitest';
import { type Transfer, TransferBudget } from './transfer-budget.ts';

/** @returns the name of each transfer that was dropped, as it happens */
function begin(budget: TransferBudget) {
  const dropped: string[] = [];
  const of = (client: string, name: string, bytes: number): Transfer => {
    const transfer = budget.begin(client, () => dropped.push(name));
    transfer.grow(bytes);
    return transfer;
  };
  return { dropped, of };
}

test('a client loses its oldest transfers when it holds more than half', () => {
  const budget = new TransferBudget(100);
  const { dropped, of } = begin(budget);

  of('a', 'first', 30);
  of('a', 'second', 20);
  of('b', 'other', 10);
  of('a', 'third', 25);

  expect(dropped).toEqual(['first']);
  expect(budget.used).toBe(55);
});

test('a client keeps one body, however large it is', () => {
  const { dropped, of } = begin(new TransferBudget(100));

  of('a', 'large', 300);

  expect(dropped).toEqual([]);
});

test('the client that holds most makes room when all together hold too much', () => {
  const { dropped, of } = begin(new TransferBudget(100));
  of('a', 'a', 30);
  of('b', 'b1', 25);
  of('b', 'b2', 20);
  of('c', 'c', 20);

  of('d', 'd', 10);

  expect(dropped).toEqual(['b1']);
});

test('what has ended or was dropped counts no more', () => {
  const budget = new TransferBudget(100);
  const { dropped, of } = begin(budget);
  const first = of('a', 'first', 40);
  const second = of('a', 'second', 40);

  first.grow(40);
  second.end();
  second.end();
  second.grow(70);

  expect(dropped).toEqual(['first']);
  expect(budget.used).toBe(0);
});

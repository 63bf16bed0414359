import { expect, onTestFinished, test } from 'vitest';
import { LargeFactsReader } from '../../services/facts/index.ts';
import { factsThread } from './facts-thread.ts';

test('the thread reads facts, and makes of them what PuppetDB gets', async () => {
  const thread = factsThread();
  onTestFinished(() => thread.stop());
  const values = {
    trusted: { certname: 'somebody else' },
    _puppet_inventory_1: { packages: [['a', '1', 'apt']] },
    os: 1,
  };
  const bytes = new TextEncoder().encode(JSON.stringify({ name: 'a', values }));

  const facts = await new LargeFactsReader(thread).readUpload(bytes, 'json', 'a');

  expect(facts.stored).toEqual({
    values: '{"os":1}',
    packages: '[["a","1","apt"]]',
    hadBytes: false,
    utf8: new TextEncoder().encode('{"os":1}'),
  });
  expect(facts.values).toEqual(values);
});

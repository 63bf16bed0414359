/** What 7.12.1 answered for the node of `test/puppetdb/probe-node.ts`. */

import { expect, test } from 'vitest';
import {
  catalogInOrder,
  eventValueInOrder,
  factsetInOrder,
  factValueInOrder,
  rowOrder,
} from './map-order.ts';

/** As it is stored. */
const stored =
  '{"b":3,"c":{"y":2,"z1":1},"e":10,"aa":5,"k9":2,"zz":4,"é":7,"k10":1,"dddd":9,"nest":{"a":10,"n1":1,"n2":2,' +
  '"n3":3,"n4":4,"n5":5,"n6":6,"n7":7,"n8":8,"n99":9},"日本":8}';

test('a fact that is a large hash is in the order of its keywords', () => {
  expect(factValueInOrder(`[${stored}]`)).toBe(
    '[{"é":7,"aa":5,"nest":{"n6":6,"n99":9,"n3":3,"n4":4,"n2":2,"n8":8,"n5":5,"n7":7,"n1":1,"a":10},"dddd":9,' +
      '"k9":2,"e":10,"c":{"y":2,"z1":1},"k10":1,"b":3,"zz":4,"日本":8}]',
  );
});

test('a fact that is a small hash is in the order of jsonb', () => {
  const small = '{"B":7,"a":2,"ab":5,"zz":1,"é":4,"bbb":{"x":2,"yy":1,"w10":3},"zzz":6}';
  expect(factValueInOrder('{"zzz":6,"bbb":{"w10":3,"yy":1,"x":2},"ab":5,"é":4,"zz":1,"a":2,"B":7}')).toBe(
    small,
  );
  expect(factValueInOrder('"{}"')).toBe('"{}"');
});

test('a large value of an event is in the order of its texts, a small one sorted', () => {
  expect(eventValueInOrder(stored)).toBe(
    '{"aa":5,"é":7,"e":10,"k9":2,"nest":{"n2":2,"n99":9,"n5":5,"n8":8,"n6":6,"n1":1,"n4":4,"a":10,"n3":3,"n7":7},' +
      '"k10":1,"dddd":9,"b":3,"zz":4,"c":{"y":2,"z1":1},"日本":8}',
  );
  expect(eventValueInOrder('{"B":7,"a":2,"zz":1,"é":4,"bbb":{"x":2,"yy":1,"w10":3},"zzz":6}')).toBe(
    '{"B":7,"a":2,"bbb":{"w10":3,"x":2,"yy":1},"zz":1,"zzz":6,"é":4}',
  );
});

test('one catalog has its large hashes as facts have them, one set of facts as events', () => {
  const row = `{"type":"Notify","title":"x","parameters":${stored}}`;
  expect(catalogInOrder(row)).toBe(`{"type":"Notify","title":"x","parameters":${factValueInOrder(stored)}}`);
  expect(factsetInOrder(row)).toBe(`{"type":"Notify","title":"x","parameters":${eventValueInOrder(stored)}}`);
});

test('rows of many fields have an order of their own', () => {
  const catalog = (
    'code_id certname hash transaction_uuid job_id producer catalog_uuid environment edges version ' +
    'producer_timestamp resources'
  ).split(' ');
  expect(rowOrder(catalog).join(' ')).toBe(
    'catalog_uuid producer hash transaction_uuid producer_timestamp environment code_id version resources ' +
      'certname edges job_id',
  );
  expect(rowOrder(['value', 'name'])).toEqual(['value', 'name']);
});

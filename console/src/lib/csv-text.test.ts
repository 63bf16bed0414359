import { expect, test } from 'vitest';
import { csvText } from './csv-text.ts';

test('texts can not become formulas or further cells', () => {
  const rows = [{ a: '=1+1', b: 'x,"y"\nz' }, { a: -1, b: null }, { a: { c: 1 } }];

  expect(csvText(['a', 'b'], rows).split('\r\n')).toEqual([
    'a,b',
    `'=1+1,"x,""y""\nz"`,
    '-1,',
    '"{""c"":1}",',
  ]);
});

import { expect, test } from 'vitest';
import { Float, type Value } from '../../pcore/index.ts';
import { scanText } from './scan-text.ts';

const cases: readonly (readonly [string, string, readonly Value[]])[] = [
  ['1,2,3', '%d,%d', [1, 2]],
  ['0x1f', '%i', [31]],
  ['017', '%i', [15]],
  ['ff', '%x', [255]],
  ['a:b', '%[a-z]:%c', ['a', 'b']],
  ['abc', '%d', []],
  ['  42 is it', '%d %s', [42, 'is']],
  ['12345', '%2d%3d', [12, 345]],
  ['12 13', '%*d %d', [13]],
  ['1.5e3', '%f', [new Float(1500)]],
  ['50%', '%d%%', [50]],
  ['', '%s', []],
  ['-7', '%d', [-7]],
];

test.each(cases)('%j read by %j', (text, format, expected) => {
  expect(scanText(text, format)).toEqual(expected);
});

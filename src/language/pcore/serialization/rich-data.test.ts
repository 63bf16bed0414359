import { describe, expect, it } from 'vitest';

import {
  BinaryValue,
  DEFAULT,
  DeferredValue,
  ErrorValue,
  equals,
  Float,
  fromData,
  PuppetHash,
  parseType,
  RegexpValue,
  renderJson,
  SemVerValue,
  SensitiveValue,
  stringify,
  TimestampValue,
  toData,
  type Value,
} from '../index.ts';

const values: readonly (readonly [Value, string])[] = [
  [[null, true, 1, new Float(2), 'x'], '[null,true,1,2.0,"x"]'],
  [2n ** 62n, '4611686018427387904'],
  [DEFAULT, '{"__ptype":"Default"}'],
  [new SensitiveValue(['s']), '{"__ptype":"Sensitive","__pvalue":["s"]}'],
  [new RegexpValue('a/b'), '{"__ptype":"Regexp","__pvalue":"a/b"}'],
  [BinaryValue.fromText('abc'), '{"__ptype":"Binary","__pvalue":"YWJj"}'],
  [SemVerValue.parse('1.2.3-rc1'), '{"__ptype":"SemVer","__pvalue":"1.2.3-rc1"}'],
  [TimestampValue.fromSeconds(0), '{"__ptype":"Timestamp","__pvalue":"1970-01-01T00:00:00.000000000 UTC"}'],
  [new DeferredValue('f', [1]), '{"__ptype":"Deferred","name":"f","arguments":[1]}'],
  [new ErrorValue('boo'), '{"__ptype":"Error","msg":"boo"}'],
  [new PuppetHash([[1, 'a']]), '{"__ptype":"Hash","__pvalue":[1,"a"]}'],
  [PuppetHash.from({ 10: 'a', 2: 'b' }).set('0', 'c'), '{"2":"b","10":"a","0":"c"}'],
  [parseType('Integer[1, 2]'), '{"__ptype":"Pcore::IntegerType","from":1,"to":2}'],
];

describe('rich data', () => {
  it.each(values)('writes and reads %s', (value, json) => {
    const data = toData(value);

    expect(renderJson(data)).toBe(json);
    expect(equals(fromData(data), value)).toBe(true);
  });

  it('refers to the first occurrence where that is wanted', () => {
    const shared = ['x'];

    const data = toData([shared, shared], { hasLocalReferences: true });

    expect(renderJson(data)).toBe('[["x"],{"__ptype":"LocalRef","__pvalue":"$[0]"}]');
    expect(fromData(data)).toEqual([['x'], ['x']]);
  });

  it('becomes text with a warning where data may not be rich', () => {
    const warnings: string[] = [];
    const value = PuppetHash.from({ a: [DEFAULT, new RegexpValue('x')] });

    const data = toData(value, {
      isRich: false,
      messagePrefix: 'File[/a]',
      warn: (message) => warnings.push(message),
    });

    expect(stringify(data)).toBe('{a => [default, /x/]}');
    expect(warnings).toEqual([
      "File[/a]['a'][0] contains the special value default. It will be converted to the String 'default'",
      "File[/a]['a'][1] contains a Regexp value. It will be converted to the String '/x/'",
    ]);
  });

  it('names an unknown type', () => {
    const data = PuppetHash.from({ __ptype: 'No::Such', a: 1 });

    expect(() => fromData(data)).toThrow('No implementation mapping found for Puppet Type No::Such');
    expect(fromData(data, { isUnresolvedAllowed: true })).toBe(data);
  });
});

import { describe, expect, it } from 'vitest';

import {
  compare,
  DEFAULT,
  equals,
  Float,
  includes,
  matches,
  PuppetHash,
  parseType,
  RegexpValue,
  SemVerRangeValue,
  SemVerValue,
  TimespanValue,
} from '../index.ts';

describe('equals', () => {
  it('compares strings without the case of ASCII letters only', () => {
    expect(equals('aBc', 'AbC')).toBe(true);
    expect(equals('é', 'É')).toBe(false);
  });
  it('compares numbers by value, however they are held', () => {
    expect(equals(1, new Float(1))).toBe(true);
    expect(equals(2n ** 60n, new Float(2 ** 60))).toBe(true);
    expect(equals(2n ** 60n + 1n, new Float(2 ** 60))).toBe(false);
    expect(equals('1', 1)).toBe(false);
  });
  it('compares collections by what is in them', () => {
    expect(equals([1, 'A'], [new Float(1), 'a'])).toBe(true);
    expect(equals(PuppetHash.from({ a: 'X' }), PuppetHash.from({ a: 'x' }))).toBe(true);
    expect(equals(PuppetHash.from({ a: 1 }), PuppetHash.from({ A: 1 }))).toBe(false);
  });
});

describe('compare', () => {
  it('orders times by seconds when compared with numbers', () => {
    expect(compare(TimespanValue.fromSeconds(5), 4)).toBe(1);
    expect(compare(6, TimespanValue.fromSeconds(5))).toBe(1);
  });
  it('says what is not comparable', () => {
    expect(() => compare('a', 1)).toThrow('A String is not comparable to a non String');
    expect(() => compare(1, 'a')).toThrow('A Numeric is not comparable to non Numeric');
    expect(() => compare(DEFAULT, 1)).toThrow('Symbol not comparable to non Symbol');
    expect(() => compare([], [])).toThrow(
      'Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable',
    );
  });
});

describe('matches', () => {
  it('takes patterns anywhere in a structure', () => {
    const pattern = [parseType('Integer'), new RegexpValue('^a'), DEFAULT];

    expect(matches([1, 'abc', null], pattern)).toBe(true);
    expect(matches([1, 'xbc', null], pattern)).toBe(false);
    expect(matches(PuppetHash.from({ a: 1, b: 2 }), PuppetHash.from({ a: 1 }))).toBe(true);
  });
  it('takes strings for versions', () => {
    expect(matches('1.2.3', SemVerRangeValue.parse('1.x'))).toBe(true);
    expect(matches('1.2.3', SemVerValue.parse('1.2.3'))).toBe(true);
    expect(matches('x', SemVerRangeValue.parse('1.x'))).toBe(false);
  });
  it('hands over what a regular expression matched', () => {
    const seen: (string | undefined)[] = [];

    matches('abc', new RegexpValue('b(c)'), (found) => seen.push(found?.[0], found?.[1]));

    expect(seen).toEqual(['bc', 'c']);
  });
});

describe('includes', () => {
  it('looks into strings, arrays and the keys of hashes', () => {
    expect(includes('Hello', 'eLL')).toBe(true);
    expect(includes(['A', 'b'], 'a')).toBe(true);
    expect(includes(PuppetHash.from({ a: 1 }), 'A')).toBe(true);
    expect(includes([1, 'x'], parseType('String'))).toBe(true);
    expect(includes(['xyz'], new RegexpValue('y'))).toBe(true);
    expect(includes(5, 5)).toBe(false);
  });
});

import { describe, expect, test } from 'vitest';
import type { ResourceTypeInfo, TitlePattern } from './resource-type.ts';
import { parseTitle } from './title-pattern.ts';

function typeWith(...titlePatterns: TitlePattern[]): ResourceTypeInfo {
  return {
    name: 'x',
    properties: new Set(),
    parameters: new Set(['name', 'type']),
    namevars: ['name', 'type'],
    titlePatterns,
    isIsomorphic: true,
  };
}

describe('a title', () => {
  test('is read with the first pattern that fits', () => {
    const type = typeWith(
      { source: '^(.*?)@(.*)$', multiline: false, attributes: ['name', 'type'] },
      { source: '^([^@]+)$', multiline: false, attributes: ['name'] },
    );

    expect(Object.fromEntries(parseTitle(type, 'host@rsa'))).toEqual({ name: 'host', type: 'rsa' });
    expect(Object.fromEntries(parseTitle(type, 'host'))).toEqual({ name: 'host' });
    expect(() => parseTitle(typeWith(), 'a')).toThrow('you must specify title patterns');
    expect(() => parseTitle({ ...typeWith(), namevars: ['name'] }, 'a')).toThrow(
      'No set of title patterns matched the title "a".',
    );
  });

  test('is matched as Ruby does', () => {
    const options = { source: '\\A( [a-z]+ ) : (?# comment) (.*)\\z', multiline: true, ignoreCase: true };
    const type = typeWith({ ...options, extended: true, attributes: ['name', 'type'] });

    expect(Object.fromEntries(parseTitle(type, 'AB:c\nd'))).toEqual({ name: 'AB', type: 'c\nd' });
  });

  test('gives values to named groups alone, where there are any', () => {
    const source = '^(?<name>.*[^-])-(x|y)(?<type>.*)$';

    expect(
      Object.fromEntries(
        parseTitle(typeWith({ source, multiline: false, attributes: ['name', 'type'] }), 'a-xb'),
      ),
    ).toEqual({ name: 'a', type: 'b' });
  });

  test('may be converted, also to nothing', () => {
    const conversions = [(text: string | null) => text?.toLowerCase() ?? 'none', () => null];
    const type = typeWith({
      source: '^(\\w+)(:.*)?$',
      multiline: false,
      attributes: ['name', 'type'],
      conversions,
    });

    expect(Object.fromEntries(parseTitle(type, 'AB:c'))).toEqual({ name: 'ab', type: null });
  });
});

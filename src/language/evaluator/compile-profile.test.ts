import { describe, expect, it } from 'vitest';
import { compileSnippet } from '../../../test/support/compile-snippet.ts';
import { CompileProfile } from './compile-profile.ts';

/** Time passes by one with every look at the clock. */
function profileOf(code: string): CompileProfile {
  let now = 0;
  const profile = new CompileProfile(() => (now += 1));
  compileSnippet(code, { request: { profile } });
  return profile;
}

describe('CompileProfile', () => {
  it('counts the time of a call without that of the calls within', () => {
    let now = 0;
    const profile = new CompileProfile(() => now);

    profile.measure('class', 'outer', () => {
      now += 5;
      profile.measure('function', 'inner', () => {
        now += 7;
      });
      now += 1;
    });

    expect(profile.entries()).toEqual([
      { kind: 'function', name: 'inner', count: 1, selfMs: 7 },
      { kind: 'class', name: 'outer', count: 1, selfMs: 6 },
    ]);
  });

  it('names classes, defined types, functions and lookups', () => {
    const profile = profileOf(`
      class a($x = 1) { b { ['p', 'q']: } }
      define b() { notice(f(lookup('k', Any, 'first', 2))) }
      function f($v) { $v }
      include a
    `);

    expect(profile.entries().map(({ kind, name, count }) => `${count} ${kind} ${name}`)).toEqual(
      expect.arrayContaining([
        '1 class a',
        '2 defined type b',
        '2 function f',
        '1 lookup a::x',
        '2 lookup k',
      ]),
    );
  });

  it('goes on after what it measured has failed', () => {
    const profile = new CompileProfile(() => 0);

    expect(() => profile.measure('class', 'x', () => JSON.parse('{'))).toThrow();

    expect(profile.entries()).toMatchObject([{ name: 'x', count: 1 }]);
  });
});

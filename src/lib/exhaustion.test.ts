import { describe, expect, it } from 'vitest';
import { exhaustionOf } from './exhaustion.ts';

function errorOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('exhaustionOf', () => {
  it('knows calls that are nested too deeply', () => {
    const nest = (): unknown => [nest()];

    expect(exhaustionOf(errorOf(nest))).toBe('stack');
  });

  it.each([
    ['text', () => 'x'.repeat(2 ** 30)],
    ['repetitions', () => 'x'.repeat(Infinity)],
    ['lists', () => Array.from({ length: 2 ** 40 })],
    ['numbers', () => 1n << (2n ** 60n)],
  ])('knows %s that are too large', (_name, work) => {
    expect(exhaustionOf(errorOf(work))).toBe('memory');
  });

  it('leaves other errors alone', () => {
    expect(exhaustionOf(errorOf(() => 'a'.normalize('no form')))).toBeUndefined();
    expect(exhaustionOf(new Error('Maximum call stack size exceeded'))).toBeUndefined();
  });
});

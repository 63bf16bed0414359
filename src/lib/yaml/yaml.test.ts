import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isYamlList,
  isYamlMap,
  parseYaml,
  YamlBinary,
  YamlError,
  YamlFloat,
  YamlSymbol,
  type YamlValue,
} from './index.ts';
import recorded from './recorded.json' with { type: 'json' };

interface Recorded {
  readonly text: string;
  readonly value?: unknown;
  readonly error?: string;
  readonly recursive?: boolean;
}

/**
 * What Ruby's parser reads otherwise than ours, which follows YAML 1.2 there: properties of keys that are in the block,
 * a folded break behind an escaped one, headers of blocks.
 */
const knownDifferences: ReadonlySet<string> = new Set([
  'deep:\n  &er:\n    - name: a\n      value: b\n    - name: c\n',
  '&users:\n  joe: { uid: 1, groups: [a, b] }\n  ann:\n    uid: 2\nmotd: |\n  hello\n  world\n',
  'esc: "\\t\\u00e5\\x41 \\\\ \\\n \n  =cont"\n',
  "text: \"multi\n  line\"\n&other: 'i\n''s'\nlist: [1,\n  2, 3]\n",
  'folded: >-\n ne\n\n  two\nkeep: |#+\n  x\n\nlit: |2\n    ind\n# \n',
  'es{c: "\\t[u00e5\\x41 \\\\ \\\n  \nconat"\n',
  'folded: \n>-\n  one\n\n  two\nkeep: |+\n  x\n\nlit: |2\n    ind\n# c\n',
]);

/** Characters that mean something in YAML, and some that do not. */
const indicators = Array.from('ab:- \n[]{},&*!|>\'"#%@1.0~<?\t');

const cases: readonly Recorded[] = recorded.filter(({ text }) => !knownDifferences.has(text));

describe('parseYaml', () => {
  const readable = cases.filter((item) => item.error === undefined && item.recursive !== true);
  test.each(readable)('reads $text as Ruby does', ({ text, value }) => {
    const parsed = parseYaml(text);

    expect(plain(parsed)).toEqual(value);
  });

  test('takes equal collections for one key, also within other keys', () => {
    const pair = (text: string) => `? {a: [1, {b: ~}]}\n: ${text}\n`;
    const deep = '? '.repeat(400);
    const isOne = (text: string) => (parseYaml(text) as ReadonlyMap<YamlValue, YamlValue>).size === 1;

    expect(plain(parseYaml(pair('x') + pair('y')))).toEqual({
      map: [[{ map: [['a', [{ integer: '1' }, { map: [['b', null]] }]]] }, 'y']],
    });
    expect(isOne(`? ${deep}a\n: x\n? ${deep}a\n: y\n`)).toBe(true);
    expect(isOne(`? ${deep}a\n: x\n? ${deep}b\n: y\n`)).toBe(false);
  });

  const unreadable = cases.filter((item) => item.error !== undefined);
  test.each(unreadable)('refuses $text as Ruby does', ({ text, error }) => {
    const message = failureOf(text).messageFor('/f.yaml');

    expect(message).toBe(error);
  });

  const differing = recorded.filter(({ text }) => knownDifferences.has(text));
  test.each(differing)('still reads $text in its own way', ({ text, value }) => {
    let parsed: unknown;
    try {
      parsed = plain(parseYaml(text));
    } catch (error) {
      expect(error).toBeInstanceOf(YamlError);
    }

    expect(parsed).not.toEqual(value);
  });

  test('refuses a structure that contains itself', () => {
    const error = failureOf('&a [1, *a]');

    expect(error.kind).toBe('value');
  });

  test('never fails in any other way than with a YamlError', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...indicators) }), (text) => {
        try {
          parseYaml(text);
        } catch (error) {
          expect(error).toBeInstanceOf(YamlError);
        }
      }),
    );
  });
});

function failureOf(text: string): YamlError {
  try {
    parseYaml(text);
  } catch (error) {
    if (error instanceof YamlError) return error;
    throw error;
  }
  throw new Error('no error');
}

function plain(value: YamlValue): unknown {
  if (value instanceof YamlFloat) return { float: rubyFloatText(value.value) };
  if (value instanceof YamlSymbol) return { symbol: value.name };
  if (value instanceof YamlBinary) return { binary: Buffer.from(value.bytes).toString('base64') };
  if (typeof value === 'number' || typeof value === 'bigint') return { integer: String(value) };
  if (isYamlList(value)) return value.map(plain);
  if (isYamlMap(value)) return { map: Array.from(value, ([key, item]) => [plain(key), plain(item)]) };
  return value;
}

function rubyFloatText(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  if (Number.isInteger(value) && Math.abs(value) < 1e16) return `${value}.0`;
  if (Math.abs(value) < 1e-4 && Number.isFinite(value)) {
    const [mantissa = '', exponent = ''] = value.toExponential().split('e');
    return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}e-${exponent.slice(1).padStart(2, '0')}`;
  }
  return String(value);
}

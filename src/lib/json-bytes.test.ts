import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { bytesOfString, jsonText, stringOfBytes, withoutBytes } from './json-bytes.ts';

const json = Buffer.concat([Buffer.from('{"k\u00fc":"caf'), Buffer.of(0xe9, 0xff), Buffer.from('\u00fc"}')]);

describe('JSON with bytes that are not UTF-8', () => {
  it('keeps them as escapes', () => {
    expect(jsonText(json)).toBe('{"k\u00fc":"caf\\udce9\\udcff\u00fc"}');
  });

  it('gives them back', () => {
    const { kü: text } = JSON.parse(jsonText(json)) as { readonly kü: string };

    expect(bytesOfString(text)).toEqual(
      Buffer.concat([Buffer.from('caf'), Buffer.of(0xe9, 0xff), Buffer.from('ü')]),
    );
    expect(bytesOfString('ü\u{1f600}')).toBeUndefined();
  });

  it('may be made of bytes alone', () => {
    expect(stringOfBytes(Buffer.from('caf\xe9', 'latin1'))).toBe(JSON.parse('"caf\\udce9"'));
    expect(stringOfBytes(Buffer.from('ü'))).toBe('ü');
  });

  it('gives back any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const safe = bytes.map((byte) => (byte < 0x20 || byte === 0x22 || byte === 0x5c ? 0x61 : byte));
        const text = JSON.parse(`"${jsonText(safe)}"`) as string;

        expect(bytesOfString(text) ?? Buffer.from(text)).toEqual(Buffer.from(safe));
      }),
    );
  });

  test.each([
    ['"caf\\udce9"', '"caf\ufffd"'],
    ['"caf\\uDCE9\\udc80x"', '"caf\ufffd\ufffdx"'],
    ['"\\\\udce9"', '"\\\\udce9"'],
    ['"\\ud83d\\udc80"', '"\\ud83d\\udc80"'],
    ['"\\udc41\\n"', '"\\udc41\\n"'],
    ['"é"', '"é"'],
  ])('is %s and, with replacement characters, %s', (given, replaced) => {
    expect(withoutBytes(given)).toBe(replaced);
  });
});

import { describe, expect, it } from 'vitest';

import { ByteString, PuppetHash, renderJson, toData } from '../index.ts';

const bytes = ByteString.fromBytes(Uint8Array.of(0x63, 0xe9));
const utf8 = ByteString.fromBytes(new TextEncoder().encode('é'));

describe('bytes', () => {
  it('are a Binary in rich data', () => {
    expect(renderJson(toData(bytes))).toBe('{"__ptype":"Binary","__pvalue":"Y+k="}');
  });

  it('that are text are that text elsewhere', () => {
    expect(toData(utf8, { isRich: false })).toBe('é');
  });

  it('that are no text are refused elsewhere, with their place', () => {
    const attribute = PuppetHash.from({ content: bytes });

    const write = () => toData(attribute, { isRich: false, messagePrefix: 'File[/a]' });

    expect(write).toThrow(
      "File[/a]['content'] has bytes that are not UTF-8, which only rich data can hold: source sequence is illegal/malformed utf-8",
    );
  });
});

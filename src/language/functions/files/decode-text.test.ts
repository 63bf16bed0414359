import { describe, expect, it } from 'vitest';
import { ByteString } from '../../pcore/index.ts';
import { templateText, textOrBytes } from './decode-text.ts';

const latin1 = Uint8Array.of(0x63, 0x61, 0x66, 0xe9);
const withMark = new TextEncoder().encode('\uFEFFé');

describe('the content of a file', () => {
  it('is text when it is UTF-8, its byte order mark included', () => {
    expect(textOrBytes(withMark)).toBe('\uFEFFé');
  });

  it('keeps each byte when it is not', () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);

    const content = textOrBytes(all);

    expect(content).toBeInstanceOf(ByteString);
    expect(content instanceof ByteString && content.bytes).toEqual(all);
  });
});

describe('the text of a template', () => {
  it('has no byte order mark', () => {
    expect(templateText(withMark, '/m/templates/a.erb')).toBe('é');
  });

  it('is refused with its file when it is not UTF-8', () => {
    expect(() => templateText(latin1, '/m/templates/a.erb')).toThrow(
      'invalid byte sequence in UTF-8: /m/templates/a.erb',
    );
  });
});

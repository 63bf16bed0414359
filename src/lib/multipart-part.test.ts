import { expect, test } from 'vitest';
import { multipartBoundary, multipartPart } from './multipart-part.ts';

const boundary = '----form7MA4';
const content = 'first\r\n--\r\n------form7MA\r\nlast';
const form = [
  'preamble',
  `--${boundary}`,
  'Content-Disposition: form-data; name="other"',
  '',
  'x',
  `--${boundary}`,
  'Content-Disposition: form-data; name="archive"; filename="a.tgz"',
  'Content-Type: application/octet-stream',
  '',
  content,
  `--${boundary}--`,
  '',
].join('\r\n');

async function read(text: string, pieceBytes: number, name = 'archive'): Promise<string> {
  async function* pieces(): AsyncIterable<Uint8Array> {
    for (let at = 0; at < text.length; at += pieceBytes) yield Buffer.from(text.slice(at, at + pieceBytes));
  }
  let found = '';
  for await (const piece of multipartPart(pieces(), boundary, name)) found += piece.toString();
  return found;
}

test.each([1, 2, 7, 64, 10_000])('the part is found in pieces of %d bytes', async (pieceBytes) => {
  expect(await read(form, pieceBytes)).toBe(content);
});

test('a part that is not there is missed', async () => {
  await expect(read(form, 50, 'nosuch')).rejects.toThrow("there is no part 'nosuch'");
});

test('a form that is cut short is noticed', async () => {
  await expect(read(form.slice(0, -20), 50)).rejects.toThrow('the form ends too early');
});

test('what follows a boundary without an end is not kept', async () => {
  await expect(read(`--${boundary}${'x'.repeat(20_000)}`, 1000)).rejects.toThrow('followed by too much');
});

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['multipart/form-data; charset=utf-8; boundary="a b"', 'a b'],
  ['application/json', undefined],
  [undefined, undefined],
])('the boundary of %s is %s', (type, expected) => {
  expect(multipartBoundary(type)).toBe(expected);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBatch, encodeBatch } from './batch.ts';

const command = fc.record({
  search: fc.string(),
  body: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
});

test('commands arrive as they were sent', () => {
  fc.assert(
    fc.property(fc.array(command), (commands) => {
      expect(decodeBatch(encodeBatch(commands))).toEqual(commands);
    }),
  );
});

test.each(['', '[]', '{}\n', '[["command=x",-1]]\n', '[["command=x",2]]\n{', '[["command=x",1]]\n{}', '[\n'])(
  '%j is no batch',
  (text) => {
    expect(() => decodeBatch(Buffer.from(text))).toThrow(
      expect.objectContaining({ name: 'ServiceError', reason: 'bad-request' }),
    );
  },
);

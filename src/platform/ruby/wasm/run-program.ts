/** Programs for the built-in Ruby that make no calls to this side: run in this thread, to their end. */

import { DEFAULT_MEMORY_BYTES } from '../ruby-process.ts';
import type { ByteStream } from './open-files.ts';
import { instanceOf } from './ruby-image.ts';
import { OwnRubyImages } from './ruby-images.ts';

/** Where a program writes its answer. */
export const PROGRAM_OUTPUT = '/dev/bunraku/output';

/**
 * Takes about a second, and as long as the program does: a thread that may be ended is the place for it.
 *
 * @param environment - what the program finds in `ENV`
 * @returns what it wrote to `PROGRAM_OUTPUT`; `undefined` when it did not run to its end
 */
export function runBuiltInRuby(
  program: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const parts: Buffer[] = [];
  const output: ByteStream = {
    read: () => 0,
    write(chunks) {
      // The memory that they lie in is Ruby's.
      parts.push(...chunks.map((chunk) => Buffer.from(chunk)));
      return true;
    },
  };
  const image = new OwnRubyImages(DEFAULT_MEMORY_BYTES).get();
  const instance = instanceOf(image, new Map([[PROGRAM_OUTPUT, output]]));
  const variables = Object.entries(environment).filter((entry) => entry[1] !== undefined);
  const encoded = Buffer.from(JSON.stringify(Object.fromEntries(variables))).toString('base64');
  const prelude = `ENV.replace(JSON.parse('${encoded}'.unpack1('m').force_encoding('UTF-8')))\n`;
  return instance.evaluate(prelude + program) ? Buffer.concat(parts).toString('utf8') : undefined;
}

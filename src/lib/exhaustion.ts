/** Which of the engine's limits an error is about. */

/**
 * @returns `stack` when calls were nested too deeply, `memory` when a string, array or number would be larger than the
 * engine can hold; `undefined` for any other error
 */
export function exhaustionOf(error: unknown): 'stack' | 'memory' | undefined {
  if (!(error instanceof RangeError)) return undefined;
  if (error.message.includes('call stack')) return 'stack';
  return TOO_LARGE.test(error.message) ? 'memory' : undefined;
}

/** As V8 words it. A count of repetitions is refused when it is infinite, or the result would be too long. */
const TOO_LARGE =
  /^(?:Invalid (?:string|array|typed array|array buffer) length|Invalid count value|Maximum BigInt size|Array buffer allocation)/i;

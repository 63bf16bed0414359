import { PuppetError } from '../syntax/index.ts';

/**
 * An error without a position: the evaluator of the expression adds the position and says
 * what was being evaluated.
 */
export function failure(message: string): PuppetError {
  return new PuppetError({ code: 'runtime_error', severity: 'error', message });
}

/** What Ruby says when a program nests too deeply, or wants more memory than there is. */
export function exhausted(limit: 'stack' | 'memory'): PuppetError {
  return failure(limit === 'stack' ? 'stack level too deep' : 'failed to allocate memory');
}

/** A mistake with a place of its own, which is reported without further words. */
export function failureAt(message: string, file: string | undefined, line: number | undefined): PuppetError {
  return new PuppetError({
    code: 'runtime_error',
    severity: 'error',
    message,
    ...(file === undefined || file === '' ? {} : { file }),
    ...(line === undefined ? {} : { line }),
  });
}

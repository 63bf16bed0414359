import { PuppetError } from '../syntax/index.ts';

/**
 * The error for a mistake in user code that is found where no position is known; the caller that knows the position
 * wraps the text again.
 *
 * @param code - the reference's issue code, lower case; `'argument_error'` for what the reference raises bare
 */
export function fault(message: string, code = 'argument_error'): PuppetError {
  return new PuppetError({ code, severity: 'error', message });
}

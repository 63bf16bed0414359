/** Errors on their way between the language and Ruby. */

import { OUTSIDE_STANDARD_ERROR } from '../../../language/evaluator/index.ts';
import { BreakSignal } from '../../../language/functions/index.ts';
import { LookupError } from '../../../language/hiera/index.ts';
import { PuppetError } from '../../../language/syntax/index.ts';
import { RubyDied, RubyError, RubyMissing } from '../../../platform/ruby/index.ts';

/** `CLASS, MESSAGE, ID, OBJECT` for Ruby. @param id - under which the error is held here */
export function describeForRuby(error: unknown, id: number): string {
  if (error instanceof PuppetError) {
    const { cause } = error;
    const own = cause instanceof RubyError ? (cause.objectId ?? null) : null;
    return JSON.stringify([classOf(error), error.message, id, own]).slice(1, -1);
  }
  const text = error instanceof Error ? error.message : 'control flow';
  const name = error instanceof BreakSignal ? 'Puppet::Pops::Evaluator::PuppetStopIteration' : 'Unwind';
  return JSON.stringify([name, text, id, null]).slice(1, -1);
}

const LOOKUP_ERROR = 'Puppet::DataBinding::LookupError';

/** What module code may rescue it as. */
function classOf(error: PuppetError): string {
  if (error instanceof LookupError) return LOOKUP_ERROR;
  const { diagnostic } = error;
  if (diagnostic.line !== undefined || (diagnostic.file ?? '') !== '') return 'Puppet::PreformattedError';
  return diagnostic.code === 'argument_error' ? 'ArgumentError' : 'Puppet::ParseError';
}

/**
 * The error that a user is shown for one that came out of Ruby.
 *
 * @param what - what was being run, with its file: for what the code itself cannot say
 */
export function faultFromRuby(error: unknown, what: string, timeoutSeconds: number): unknown {
  if (error instanceof RubyError) return fromRubyError(error, what);
  if (error instanceof RubyMissing)
    return plain(`${what} is written in Ruby, and Ruby is not available: ${error.message}`, error);
  if (!(error instanceof RubyDied)) return error;
  return error.hasTimedOut
    ? plain(`${what} took longer than ${timeoutSeconds} seconds`, error)
    : plain(`Ruby ended unexpectedly while it was running ${lowerFirst(what)}`, error);
}

function fromRubyError(error: RubyError, what: string): PuppetError {
  if (isOutOfMemory(error)) return plain(`${what} needed more memory than it may have`, error);
  if (error.rubyClass === 'SystemExit') return plain(`${what} called exit`, error);
  const { file, line, message } = error;
  if (error.rubyClass === LOOKUP_ERROR) return new LookupError(message, { cause: error });
  return new PuppetError(
    {
      code: error.isStandard ? codeOf(error.rubyClass) : OUTSIDE_STANDARD_ERROR,
      severity: 'error',
      message,
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
    },
    { cause: error },
  );
}

/** Lookups take only errors of Puppet's own classes for failed lookups. */
function codeOf(rubyClass: string): string {
  if (rubyClass === 'ArgumentError') return 'argument_error';
  return rubyClass.startsWith('Puppet::') ? 'runtime_error' : 'standard_error';
}

/** Afterwards the process cannot be relied upon. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof RubyError && error.rubyClass === 'NoMemoryError';
}

/** Whether it ends a call without being a mistake of the code that was called. */
export function isForeign(error: unknown): error is RubyError & { readonly foreignId: number } {
  return error instanceof RubyError && error.foreignId !== undefined;
}

function plain(message: string, cause: unknown): PuppetError {
  return new PuppetError({ code: 'runtime_error', severity: 'error', message }, { cause });
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

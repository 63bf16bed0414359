/** Errors of lookups: which of them say where they happened, and which the caller locates. */

import { PuppetError } from '../syntax/index.ts';

/** Where a mistake in `hiera.yaml` is. */
export interface ConfigPosition {
  readonly file?: string;
  readonly line?: number;
}

/**
 * The lookup failed, and the text is complete: unlike other errors in function calls it is shown as it is,
 * without the position of the call and without `Error while evaluating a Function Call`.
 */
export class LookupError extends PuppetError {
  /** True when an issue of `hiera.yaml` is at fault; such errors are not wrapped again. */
  readonly isConfigIssue: boolean;

  constructor(
    message: string,
    options: { readonly cause?: unknown; readonly position?: ConfigPosition; readonly issue?: string } = {},
  ) {
    const { cause, position, issue } = options;
    super(
      { code: issue ?? 'lookup_failed', severity: 'error', message, ...position },
      cause === undefined ? {} : { cause },
    );
    this.name = 'LookupError';
    this.isConfigIssue = issue !== undefined;
  }

  /** The same error at a place that became known later. */
  at({ file, line }: ConfigPosition): LookupError {
    const position = { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
    const { code, message } = this.diagnostic;
    return new LookupError(message, {
      cause: this,
      position,
      ...(this.isConfigIssue ? { issue: code } : {}),
    });
  }
}

/** A mistake in the arguments of a lookup, found at whatever depth: reported at the call, never wrapped. */
export class LookupArgumentError extends PuppetError {
  constructor(message: string) {
    super({ code: 'lookup_argument', severity: 'error', message });
    this.name = 'LookupArgumentError';
  }
}

/** Any other error; without a position, which the caller adds. */
export function plainError(message: string, cause?: unknown): PuppetError {
  const diagnostic = { code: 'lookup_error', severity: 'error', message } as const;
  return new PuppetError(diagnostic, cause === undefined ? {} : { cause });
}

/** What Ruby itself raises goes through lookups as it is: no `LookupError`, and the caller adds its position. */
export function rubyError(message: string): PuppetError {
  return new PuppetError({ code: 'standard_error', severity: 'error', message });
}

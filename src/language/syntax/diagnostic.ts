/** Mistakes in what a user wrote, and the errors that carry them. */

/** Where a mistake is; a part that is not known is absent. Lines and columns count from 1. */
export interface Position {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** One occurrence of an issue. `message` has no position in it. */
export interface Diagnostic extends Position {
  /** The reference's issue code, lower case: `'unknown_variable'`. */
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'deprecation';
  readonly message: string;
}

/**
 * Renders a position the way the reference ends its messages:
 * ` (file: /a.pp, line: 3, column: 5)`, with a leading space; `''` when nothing is known.
 */
export function renderPosition(position: Position): string {
  const parts: string[] = [];
  if (position.file !== undefined && position.file !== '') parts.push(`file: ${position.file}`);
  if (position.line !== undefined) parts.push(`line: ${position.line}`);
  if (position.column !== undefined) parts.push(`column: ${position.column}`);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/**
 * A mistake in Puppet code that ends parsing or evaluation.
 *
 * `message` is what a user sees, position included; `diagnostic.message` is the text alone.
 */
export class PuppetError extends Error {
  readonly diagnostic: Diagnostic;
  /** Everything that validation found, when it was validation. */
  readonly all: readonly Diagnostic[];

  constructor(
    diagnostic: Diagnostic,
    options: { readonly cause?: unknown; readonly all?: readonly Diagnostic[] } = {},
  ) {
    super(
      diagnostic.message + renderPosition(diagnostic),
      options.cause === undefined ? {} : { cause: options.cause },
    );
    this.name = 'PuppetError';
    this.diagnostic = diagnostic;
    this.all = options.all ?? [diagnostic];
  }
}

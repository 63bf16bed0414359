/** A YAML text that cannot be read. */

/**
 * - `syntax`: the text is no YAML; `message` ends with line and column, as libyaml's does
 * - `class`: it asks for an object of a class that safe loading refuses, dates and times among them
 * - `value`: anything else Ruby stumbles over: unknown aliases, numbers that are none
 */
export type YamlErrorKind = 'syntax' | 'class' | 'value';

export class YamlError extends Error {
  readonly kind: YamlErrorKind;
  /** From 1; only `syntax` errors have a place. */
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(
    kind: YamlErrorKind,
    message: string,
    position?: { readonly line: number; readonly column: number },
  ) {
    super(position === undefined ? message : `${message} at line ${position.line} column ${position.column}`);
    this.name = 'YamlError';
    this.kind = kind;
    this.line = position?.line;
    this.column = position?.column;
  }

  /** The message as Ruby's safe loader gives it for a file: some name the file, some do not. */
  messageFor(file: string): string {
    return this.kind === 'value' ? this.message : `(${file}): ${this.message}`;
  }
}

export function disallowedClass(name: string): YamlError {
  return new YamlError('class', `Tried to load unspecified class: ${name}`);
}

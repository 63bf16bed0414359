/** A message of an identity provider that does not count. */

export class SamlError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'SamlError';
  }
}

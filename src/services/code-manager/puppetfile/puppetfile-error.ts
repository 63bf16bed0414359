/** The part of Ruby that is not understood here: real Ruby has to be asked. */
export class NotUnderstood extends Error {
  readonly offset: number;

  constructor(what: string, offset: number) {
    super(what);
    this.name = 'NotUnderstood';
    this.offset = offset;
  }
}

/** An error that real Ruby would give, too. */
export class PuppetfileError extends Error {
  /** Where, in bytes; `undefined` when that is not known or in the message. */
  readonly offset: number | undefined;

  constructor(message: string, offset?: number, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'PuppetfileError';
    this.offset = offset;
  }
}

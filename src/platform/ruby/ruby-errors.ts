/** What can come of a call into Ruby besides a result. */

/** Code raised. */
export class RubyError extends Error {
  readonly rubyClass: string;
  readonly backtrace: readonly string[];
  /** The place in a manifest that the error names. */
  readonly file: string | undefined;
  readonly line: number | undefined;
  /** Set when it is an error of this side that has passed through Ruby. */
  readonly foreignId: number | undefined;
  /** Under which Ruby has kept it, so that it can go back as it is. */
  readonly objectId: number | undefined;
  /** Whether `rescue` without a class catches it. */
  readonly isStandard: boolean;

  constructor(frame: readonly unknown[]) {
    const [, rubyClass, message, backtrace, file, line, foreignId, objectId, isStandard] = frame;
    super(String(message));
    this.name = 'RubyError';
    this.rubyClass = String(rubyClass);
    this.backtrace = Array.isArray(backtrace) ? backtrace.map(String) : [];
    this.file = typeof file === 'string' ? file : undefined;
    this.line = typeof line === 'number' ? line : undefined;
    this.foreignId = typeof foreignId === 'number' ? foreignId : undefined;
    this.objectId = typeof objectId === 'number' ? objectId : undefined;
    this.isStandard = isStandard !== false;
  }
}

/** There is no Ruby on this machine, or it did not start. */
export class RubyMissing extends Error {
  /** There is one: it has ended before it said anything, as when somebody kills it. */
  readonly hasStarted: boolean;

  constructor(message: string, hasStarted = false) {
    super(message);
    this.name = 'RubyMissing';
    this.hasStarted = hasStarted;
  }
}

/** The process has ended in the middle of a call. */
export class RubyDied extends Error {
  /** It was stopped because it had run for too long. */
  readonly hasTimedOut: boolean;

  constructor(hasTimedOut: boolean) {
    super(hasTimedOut ? 'Ruby took too long' : 'Ruby ended unexpectedly');
    this.name = 'RubyDied';
    this.hasTimedOut = hasTimedOut;
  }
}

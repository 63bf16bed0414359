/** How an extraction ends that would have to guess. */

/** Something that the extraction does not model: the type is flagged, for real Ruby to answer. */
export class Unmodelled extends Error {
  /** Where it is; absent until somebody knows. */
  file: string | undefined;
  offset: number | undefined;

  constructor(what: string) {
    super(what);
    this.name = 'Unmodelled';
  }
}

/** An exception that Ruby would raise while the file is loaded. */
export class RubyRaise extends Error {
  readonly className: string;

  constructor(className: string, message: string) {
    super(message);
    this.name = 'RubyRaise';
    this.className = className;
  }
}

/** A pattern that PostgreSQL refuses; the message is PostgreSQL's, without its prefix. */

export class PatternError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PatternError';
  }
}

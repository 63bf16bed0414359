/** A statement that a database will not run on its data: a bug of ours, or something that a client asked for. */
export class StatementRefused extends Error {
  /** Five characters, as PostgreSQL has them: `2201B` is a bad regular expression. */
  readonly sqlState: string;

  constructor(message: string, sqlState: string, options: ErrorOptions = {}) {
    super(message, options);
    this.name = 'StatementRefused';
    this.sqlState = sqlState;
  }
}

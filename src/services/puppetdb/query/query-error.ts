/** A query that cannot be answered; the message is what the client reads. */

import type { Required } from './query.ts';

export class QueryError extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.name = 'QueryError';
    this.status = status;
  }
}

/** Something that the query is about does not exist. */
export class NotKnown extends QueryError {
  constructor({ label, value }: Required) {
    super(`No information is known about ${label} ${value}`, 404);
    this.name = 'NotKnown';
  }
}

/** `'a'`, `'a' and 'b'`, `'a', 'b', and 'c'`. */
export function quotedList(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  if (quoted.length < 3) return quoted.join(' and ');
  return `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}`;
}

/** What is said of an operator that does not exist or has too few arguments to be one. */
export function notAnOperator(): QueryError {
  return new QueryError(
    "No implementation of method: :-plan->sql of protocol: #'puppetlabs.puppetdb.query-eng.engine/SQLGen " +
      'found for class: nil',
  );
}

/** What is said of a query that is nested beyond what can be worked on. */
export function tooDeep(): QueryError {
  return new QueryError('The query is nested too deeply');
}

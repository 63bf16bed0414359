/** Parts of PQL with the values quoted, so that no value can become a part of the query. */

/** A string as PQL writes it. */
export function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** A pattern that matches the text anywhere, as a quoted string. */
export function quotedPattern(text: string): string {
  return quoted(text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
}

/** Limits rows of nodes to those whose last run was in an environment, as lists of nodes do. @returns conditions; none for all */
export function ofNodesIn(environment: string | undefined): readonly string[] {
  if (environment === undefined) return [];
  return [`certname in nodes[certname] { report_environment = ${quoted(environment)} }`];
}

export interface PqlQuery {
  readonly entity: string;
  readonly columns: readonly string[];
  /** All must be true. */
  readonly conditions?: readonly string[];
  readonly groupBy?: readonly string[];
  /** `certname desc`. */
  readonly orderBy?: readonly string[];
  readonly limit?: number;
  readonly offset?: number;
}

/** The query on one line. */
export function pqlText(query: PqlQuery): string {
  const { columns, conditions = [], entity, groupBy = [], limit, offset, orderBy = [] } = query;
  const projection = columns.length === 0 ? '' : `[${columns.join(', ')}]`;
  const clauses = [
    conditions.join(' and '),
    groupBy.length === 0 ? '' : `group by ${groupBy.join(', ')}`,
    orderBy.length === 0 ? '' : `order by ${orderBy.join(', ')}`,
    limit === undefined ? '' : `limit ${limit}`,
    offset === undefined || offset === 0 ? '' : `offset ${offset}`,
  ].filter((clause) => clause !== '');
  return clauses.length === 0
    ? `${entity}${projection} {}`
    : `${entity}${projection} { ${clauses.join(' ')} }`;
}

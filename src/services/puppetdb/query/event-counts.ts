/** How often what happened: events counted by resource, class or node. */

import type { DirectDatabase } from '../../../platform/storage/index.ts';
import { type Clause, printed } from './ast.ts';
import { clojureText } from './clojure-text.ts';
import type { QueryCompiler } from './compile-query.ts';
import { demands } from './demands.ts';
import { type DistinctWithin, distinctEvents } from './distinct-events.ts';
import type { Column, Entity } from './entity.ts';
import { chained, type Fragment, fragment, joined, raw } from './fragment.ts';
import { checkOrder, type Paging } from './paging.ts';
import { QueryError } from './query-error.ts';
import { encodeValue } from './result-column.ts';
import { weighedEvents } from './weighed-events.ts';

export interface EventCountRequest {
  readonly query: Clause | undefined;
  /** `resource`, `containing_class` or `certname`; several for sums, separated by commas. */
  readonly summarizeBy: string;
  readonly countBy: string;
  /** A condition on the counts. */
  readonly countsFilter: Clause | undefined;
  readonly paging: Paging;
  readonly includeTotal: boolean;
  /** One row for each way of summing up instead of one for each subject. */
  readonly isAggregate: boolean;
  /** Counts the last event of each kind alone. */
  readonly distinct: DistinctWithin | undefined;
}

const subjects: ReadonlyMap<string, readonly string[]> = new Map([
  ['resource', ['ev.resource_type', 'ev.resource_title']],
  ['containing_class', ['ev.containing_class']],
  ['certname', ['n.certname']],
]);

const counts = ['failures', 'skips', 'successes', 'noops'] as const;
const statuses = { failures: 'failure', skips: 'skipped', successes: 'success', noops: 'noop' } as const;

/** What the counts are called, and whom they are of, for conditions and for sorting. */
function counted(subject: readonly string[]): Entity {
  const numbers = counts.map((name): Column => ({ name, kind: 'integer', sql: `counted.${name}` }));
  const names = subject.map(
    (name, index): Column => ({ name: name.replace(/^.*\./, ''), kind: 'text', sql: `counted.s${index}` }),
  );
  return { name: 'event_counts', source: 'counted', columns: [...numbers, ...names] };
}

export interface EventCounts {
  /** One JSON text for each row. */
  readonly rows: readonly string[];
  readonly total?: number;
}

export async function countEvents(
  database: DirectDatabase,
  compiler: QueryCompiler,
  entities: ReadonlyMap<string, Entity>,
  request: EventCountRequest,
): Promise<EventCounts> {
  const events = entities.get('events');
  if (events === undefined) throw new Error('there is no entity for events');
  const { query, distinct } = request;
  const counting: Counting = {
    compiler,
    events: distinct === undefined ? events : distinctEvents(events, distinct),
    request: query === undefined ? request : { ...request, query: compiler.checked(events, query) },
  };
  if (request.isAggregate) return await aggregateCounts(database, counting);
  const { summarizeBy } = request;
  const subject = counted(subjectColumns(summarizeBy));
  checkOrder(subject, request.paging);
  const rows = fragment`select * from (${countSql(counting, summarizeBy)}) counted${filterSql(counting)}`;
  const answered = await database.read(fragment`${rows}${compiler.paging(subject, request.paging)}`);
  const encoded = answered.map((row) => {
    const numbers = counts.map((name) => `${JSON.stringify(name)}:${Number(row[name])}`);
    const shown =
      summarizeBy === 'resource'
        ? `{"type":${encodeValue('text', row['s0'])},"title":${encodeValue('text', row['s1'])}}`
        : `{"title":${encodeValue('text', row['s0'])}}`;
    return `{${numbers.join(',')},"subject_type":${JSON.stringify(summarizeBy)},"subject":${shown}}`;
  });
  if (!request.includeTotal) return { rows: encoded };
  const [total] = await database.read(fragment`select count(*) as c0 from (${rows}) total`);
  return { rows: encoded, total: Number(total?.['c0'] ?? 0) };
}

interface Counting {
  readonly compiler: QueryCompiler;
  readonly events: Entity;
  readonly request: EventCountRequest;
}

async function aggregateCounts(database: DirectDatabase, counting: Counting): Promise<EventCounts> {
  const { request } = counting;
  const rows: string[] = [];
  for (const subject of request.summarizeBy.split(',')) {
    const sums = counts.map((name) => `coalesce(sum(case when ${name} > 0 then 1 else 0 end), 0) as ${name}`);
    const [row] = await database.read(
      fragment`select ${raw(sums.join(', '))}, count(*) as total
        from (${countSql(counting, subject)}) counted${filterSql(counting)}`,
    );
    const numbers = [...counts, 'total'].map((name) => `${JSON.stringify(name)}:${Number(row?.[name] ?? 0)}`);
    rows.push(`{"summarize_by":${JSON.stringify(subject)},${numbers.join(',')}}`);
  }
  return { rows };
}

function countSql({ compiler, events, request }: Counting, subject: string): Fragment {
  const { query, countBy, distinct } = request;
  const columns = subjectColumns(subject);
  if (countBy !== 'resource' && countBy !== 'certname') throw unsupported('count_by', countBy);
  const conditions = query === undefined || query.length === 0 ? [] : compiler.conditions(events, query);
  const condition = conditions.length === 0 ? raw('1 = 1') : chained(conditions, 'and');
  if (distinct !== undefined) return countsOfSubjects(events, condition, columns, countBy);
  if (subject === 'certname') {
    const isOfReports = !/\bev\./.test(condition.parts.join(' '));
    return isOfReports
      ? countsOfReports(condition, countBy)
      : countsOfSubjects(events, condition, columns, countBy);
  }
  // Of its latest report a node has one.
  const isOfNodes = countBy === 'certname';
  const weighed =
    isOfNodes && !demands(query, 'latest_report?')
      ? undefined
      : weighedEvents({ source: events.source, conditions, columns: ['ev.status', ...columns], isOfNodes });
  return weighed === undefined
    ? countsOfSubjects(events, condition, columns, countBy)
    : countsOfSets(weighed, columns);
}

/** Reports know how often what happened: where it is only asked which reports, no event is looked at. */
function countsOfReports(condition: Fragment, countBy: string): Fragment {
  const sums = counts.map((name) =>
    countBy === 'certname'
      ? `max(case when r.${name} > 0 then 1 else 0 end) as ${name}`
      : `sum(r.${name}) as ${name}`,
  );
  return fragment`select n.certname as s0, ${raw(sums.join(', '))}
    from pdb_reports r join pdb_nodes n on n.id = r.node_id
    where ${condition} and r.failures + r.skips + r.successes + r.noops > 0 group by n.certname`;
}

function countsOfSets(weighed: Fragment, columns: readonly string[]): Fragment {
  const keys = columns.map((column, index) => `${column} as s${index}`);
  const sums = counts.map(
    (name) => `sum(case when ev.status = '${statuses[name]}' then ev.weight else 0 end) as ${name}`,
  );
  return fragment`select ${raw([...keys, ...sums].join(', '))} from ${weighed} group by ${raw(columns.join(', '))}`;
}

function countsOfSubjects(
  { source }: Entity,
  condition: Fragment,
  columns: readonly string[],
  countBy: string,
): Fragment {
  const keys = columns.map((column, index) => raw(`${column} as s${index}`));
  const distinct = raw(countBy === 'certname' ? 'distinct n.certname, ' : '');
  const inner = fragment`select ${distinct}ev.status as status, ${joined(keys, ', ')}
    from ${raw(source)} where ${condition}`;
  const names = columns.map((_, index) => `s${index}`).join(', ');
  const sums = counts.map(
    (name) => `sum(case when status = '${statuses[name]}' then 1 else 0 end) as ${name}`,
  );
  return fragment`select ${raw(`${names}, ${sums.join(', ')}`)} from (${inner}) found group by ${raw(names)}`;
}

function subjectColumns(subject: string): readonly string[] {
  const columns = subjects.get(subject);
  if (columns === undefined) throw unsupported('summarize_by', subject);
  return columns;
}

const filterOperators = new Set(['=', '>', '<', '>=', '<=']);

/** One comparison of a count with a number, nothing else. */
function filterSql({ compiler, request: { countsFilter } }: Counting): Fragment {
  if (countsFilter === undefined || countsFilter.length === 0) return raw('');
  const [operator, field, ...values] = countsFilter;
  const name = printed(operator);
  if (!filterOperators.has(name)) {
    throw new QueryError(
      `${clojureText(countsFilter)} is not well-formed: query operator '${name}' is unknown`,
    );
  }
  const given = countsFilter.length - 1;
  if (given !== 2) throw new QueryError(`${name} requires exactly two arguments, but ${given} were supplied`);
  if (!counts.some((count) => count === field)) {
    throw new QueryError(
      name === '='
        ? `${clojureText(field)} is not a queryable object for event counts`
        : `${name} operator does not support object '${clojureText(field)}' for event counts`,
    );
  }
  return fragment` where ${compiler.condition(counted([]), [name, field ?? null, ...values])}`;
}

function unsupported(name: string, value: string): QueryError {
  return new QueryError(`Unsupported value for '${name}': '${printed(value)}'`);
}

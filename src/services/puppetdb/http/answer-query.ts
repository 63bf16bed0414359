/** What is answered to a query: decode, ask, encode. */

import type { Clause } from '../query/ast.ts';
import { isClause, printed } from '../query/ast.ts';
import { catalogInOrder, factsetInOrder } from '../query/map-order.ts';
import { QueryError } from '../query/query-error.ts';
import type { Answer, AnswerOptions, QueryService } from '../query/query-service.ts';
import { parseQueryJson } from './json-mistake.ts';
import type { QueryCall, QueryReply } from './query-call.ts';
import { type Parameters, readClause, readFlag, readPaging, readParameters } from './query-parameters.ts';
import { type QueryPath, type Required, readQueryPath } from './query-path.ts';
import { rowsText } from './rows-text.ts';
import { answeringMistakes, errorJson, jsonAnswer, textAnswer } from './text-answer.ts';

export const queryMount = '/pdb/query/v4';

const countParameters = ['summarize_by', 'count_by', 'counts_filter', ...distinctParameters()];

function distinctParameters(): readonly string[] {
  return ['distinct_resources', 'distinct_start_time', 'distinct_end_time'];
}

/** Mistakes of the client are answers, too. */
export function answerQuery(service: QueryService, call: QueryCall): Promise<QueryReply> {
  return answeringMistakes(() => answer(service, call));
}

async function answer(service: QueryService, call: QueryCall): Promise<QueryReply> {
  const refusal = refuseFormat(call);
  if (refusal !== undefined) return refusal;
  const segments = call.path
    .slice(queryMount.length + 1)
    .split('/')
    .map(decodeURIComponent);
  const path = readQueryPath(segments);
  if (path === undefined || (path.kind === 'rows' && !service.hasEntity(path.entity))) {
    return dashboard(call);
  }
  return await ask(service, call, path);
}

async function ask(service: QueryService, call: QueryCall, path: QueryPath): Promise<QueryReply> {
  switch (path.kind) {
    case 'root':
      return await askRoot(service, readParameters(call, ['ast_only']));
    case 'event-counts':
      return await askCounts(service, readParameters(call, countParameters), path.isAggregate);
    case 'one': {
      const row = await findRequired(service, path.required);
      return row === undefined ? unknown(path.required) : jsonAnswer(oneInOrder(path.required.entity, row));
    }
    case 'part': {
      const row = await findRequired(service, path.required, path.column);
      return row === undefined ? unknown(path.required) : jsonAnswer(partOf(row, path.column));
    }
    case 'rows': {
      const more = path.entity === 'events' ? distinctParameters() : ['include_facts_expiration'];
      const parameters = readParameters(call, more);
      if (
        path.required !== undefined &&
        (await findRequired(service, path.required, path.required.field)) === undefined
      ) {
        return unknown(path.required);
      }
      const query = readClause(parameters, 'query');
      const { entity, conditions } = path;
      const paging = readPaging(parameters);
      return rowsAnswer(
        await service.ask({ entity, query, paging, conditions, ...readAnswerOptions(parameters) }),
        parameters,
      );
    }
    default:
      return path satisfies never;
  }
}

async function askRoot(service: QueryService, parameters: Parameters): Promise<QueryReply> {
  const query = rootQuery(parameters);
  if (readFlag(parameters, 'ast_only')) return jsonAnswer(JSON.stringify(service.ast(query)));
  return rowsAnswer(
    await service.askRoot(query, readPaging(parameters), readAnswerOptions(parameters)),
    parameters,
  );
}

function readAnswerOptions(parameters: Parameters): AnswerOptions {
  return {
    includeTotal: readFlag(parameters, 'include_total'),
    isExplained: readExplain(parameters),
  };
}

function readExplain(parameters: Parameters): boolean {
  const value = parameters.get('explain');
  if (value === undefined || value === 'analyze') return value !== undefined;
  throw new QueryError(`Illegal value '${printed(value)}' for :explain; expected \`analyze\`.`);
}

function rootQuery(parameters: Parameters): string | Clause {
  const query = parameters.get('query');
  if (query === undefined) throw new QueryError("Missing required query parameter 'query'");
  if (isClause(query)) return query;
  const text = printed(query);
  if (!text.trimStart().startsWith('[')) return text;
  const parsed = parseQueryJson(text);
  return isClause(parsed) ? parsed : text;
}

async function askCounts(
  service: QueryService,
  parameters: Parameters,
  isAggregate: boolean,
): Promise<QueryReply> {
  const summarizeBy = parameters.get('summarize_by');
  if (summarizeBy === undefined) throw new QueryError("Missing required query parameter 'summarize_by'");
  const rows = await service.countEvents({
    query: readClause(parameters, 'query'),
    summarizeBy: printed(summarizeBy),
    countBy: printed(parameters.get('count_by') ?? 'resource'),
    countsFilter: readClause(parameters, 'counts_filter'),
    paging: readPaging(parameters),
    includeTotal: readFlag(parameters, 'include_total'),
    isAggregate,
  });
  return rowsAnswer(rows, parameters);
}

/** @param column - the only one that is wanted @returns the thing as JSON */
async function findRequired(
  service: QueryService,
  { entity, field, value }: Required,
  column?: string,
): Promise<string | undefined> {
  const isOfNode = field === 'certname';
  const condition: Clause = ['=', field, value];
  const query: Clause = isOfNode ? ['and', condition, ['=', 'node_state', 'any']] : condition;
  const { rows } = await service.ask({
    entity,
    query: column === undefined ? query : ['extract', [column], query],
    paging: { limit: 1 },
    includeTotal: false,
  });
  for await (const [row] of rows) return row;
  return undefined;
}

/** What the reference reads itself before it answers it. */
function oneInOrder(entity: string, row: string): string {
  if (entity === 'catalogs') return catalogInOrder(row);
  return entity === 'factsets' ? factsetInOrder(row) : row;
}

/** @param row - `{"logs":{"data":[...],"href":"..."}}` */
function partOf(row: string, column: string): string {
  const start = `{"${column}":{"data":`.length;
  const data = row.slice(start, row.lastIndexOf(',"href":'));
  return data === 'null' ? '[]' : data;
}

async function rowsAnswer({ rows, total }: Answer, parameters: Parameters): Promise<QueryReply> {
  const headers: Readonly<Record<string, string>> = total === undefined ? {} : { 'X-Records': String(total) };
  const { headers: type } = jsonAnswer('');
  return {
    status: 200,
    headers: { ...type, ...headers },
    body: await rowsText(rows, readFlag(parameters, 'pretty')),
  };
}

function unknown({ label, value }: Required): QueryReply {
  return errorJson(`No information is known about ${label} ${value}`, 404);
}

function refuseFormat({
  method,
  accept = '*/*',
  contentType = 'application/json',
}: QueryCall): QueryReply | undefined {
  if (!/application\/(json|\*)|\*\/\*/.test(accept)) return textAnswer('must accept application/json', 406);
  if (method !== 'POST') return undefined;
  const [type = ''] = contentType.split(';');
  if (type.trim().toLowerCase() === 'application/json') return undefined;
  return textAnswer(`content type ${type.trim()} not supported`, 415);
}

/** The reference sends what it does not know to its dashboard. */
function dashboard({ host, path }: QueryCall): QueryReply {
  const origin = host === undefined ? '' : `http://${host}`;
  return { status: 302, headers: { location: `${origin}${path}/dashboard/index.html` }, body: '' };
}

/** What is answered to a query: decode, ask, encode. */

import { parseRootText } from '../pql/root-query.ts';
import { printed } from '../query/ast.ts';
import { catalogInOrder, factsetInOrder } from '../query/map-order.ts';
import type { Answer, AnswerOptions, MoreColumns, QueryService } from '../query/query-service.ts';
import { rowsText } from '../query/rows-text.ts';
import { distinctNames, readDistinct } from './distinct-parameters.ts';
import type { QueryCall, QueryReply } from './query-call.ts';
import {
  type ParameterNames,
  type Parameters,
  readClause,
  readExplain,
  readFlag,
  readPaging,
  readParameters,
  readSingleParameters,
  rowNames,
  singleNames,
} from './query-parameters.ts';
import { type QueryPath, readQueryPath } from './query-path.ts';
import { answeringMistakes, jsonAnswer, textAnswer } from './text-answer.ts';

export const queryMount = '/pdb/query/v4';

const countNames = ['counts_filter', 'count_by', ...distinctNames];

const rootParameters: ParameterNames = { required: ['query'], optional: [...rowNames, 'ast_only'] };
const rowParameters: ParameterNames = { optional: rowNames };
const eventParameters: ParameterNames = { optional: [...rowNames, ...distinctNames] };
const countParameters: ParameterNames = {
  required: ['summarize_by'],
  optional: [...rowNames, ...countNames],
};
const aggregateParameters: ParameterNames = {
  required: ['summarize_by'],
  optional: [...singleNames.filter((name) => name !== 'pretty'), 'query', ...countNames],
};

const queryMethods = new Set(['GET', 'POST']);

/** Mistakes of the client are answers, too. */
export function answerQuery(service: QueryService, call: QueryCall): Promise<QueryReply> {
  return answeringMistakes(() => answer(service, call));
}

async function answer(service: QueryService, call: QueryCall): Promise<QueryReply> {
  const refusal = refuseFormat(call);
  if (refusal !== undefined) return refusal;
  const path = readQueryPath(call.path.slice(queryMount.length));
  if (path === undefined) return dashboard(call);
  if (!queryMethods.has(call.method)) return textAnswer('PuppetDB queries must be made via GET/POST', 400);
  return await ask(service, call, path);
}

async function ask(service: QueryService, call: QueryCall, path: QueryPath): Promise<QueryReply> {
  switch (path.kind) {
    case 'root':
      return await askRoot(service, readParameters(call, rootParameters, parseRootText));
    case 'event-counts': {
      const names = path.isAggregate ? aggregateParameters : countParameters;
      return await askCounts(service, readParameters(call, names), path.isAggregate);
    }
    case 'one': {
      const parameters = path.isAskedPlainly
        ? readSingleParameters(call)
        : readParameters(call, rowParameters);
      return await askOne(service, path, parameters);
    }
    case 'part': {
      readSingleParameters(call);
      const { column, required } = path;
      return jsonAnswer(partOf(await service.get(required, { column }), column));
    }
    case 'rows':
      return await askRows(service, call, path);
    default:
      return path satisfies never;
  }
}

async function askOne(
  service: QueryService,
  { required, within = [] }: Extract<QueryPath, { readonly kind: 'one' }>,
  parameters: Parameters,
): Promise<QueryReply> {
  await service.require(within);
  const row = await service.get(required, { more: readMore(parameters) });
  return jsonAnswer(oneInOrder(required.entity, row));
}

async function askRows(
  service: QueryService,
  call: QueryCall,
  path: Extract<QueryPath, { readonly kind: 'rows' }>,
): Promise<QueryReply> {
  const parameters = readParameters(call, path.entity === 'events' ? eventParameters : rowParameters);
  await service.require(path.required);
  const asked = {
    ...path,
    required: [],
    query: readClause(parameters, 'query'),
    paging: readPaging(parameters),
    distinct: readDistinct(parameters),
  };
  const options = { ...readAnswerOptions(parameters), ...readMore(parameters) };
  return rowsAnswer(await service.ask({ ...asked, ...options }), parameters);
}

async function askRoot(service: QueryService, parameters: Parameters): Promise<QueryReply> {
  const query = readClause(parameters, 'query') ?? [];
  if (readFlag(parameters, 'ast_only')) return jsonAnswer(JSON.stringify(service.ast(query)));
  const options = { ...readAnswerOptions(parameters), ...readMore(parameters) };
  return rowsAnswer(await service.askRoot(query, readPaging(parameters), options), parameters);
}

function readAnswerOptions(parameters: Parameters): AnswerOptions {
  return { includeTotal: readFlag(parameters, 'include_total'), isExplained: readExplain(parameters) };
}

/** Columns that are in an answer only on request. */
function readMore(parameters: Parameters): MoreColumns {
  return {
    withExpiration: readFlag(parameters, 'include_facts_expiration'),
    withPackages: readFlag(parameters, 'include_package_inventory'),
  };
}

async function askCounts(
  service: QueryService,
  parameters: Parameters,
  isAggregate: boolean,
): Promise<QueryReply> {
  const rows = await service.countEvents({
    query: readClause(parameters, 'query'),
    summarizeBy: printed(parameters.get('summarize_by')),
    countBy: printed(parameters.get('count_by') ?? 'resource'),
    countsFilter: readClause(parameters, 'counts_filter'),
    paging: readPaging(parameters),
    includeTotal: readFlag(parameters, 'include_total'),
    isAggregate,
    distinct: readDistinct(parameters),
  });
  return rowsAnswer(rows, parameters);
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

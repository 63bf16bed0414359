/** `/pdb/query/v4`: decode, ask, encode. */

import {
  type Access,
  type HttpRequest,
  type HttpResponse,
  type Route,
  route,
} from '../../../platform/http/index.ts';
import type { Clause } from '../query/ast.ts';
import { isClause, printed } from '../query/ast.ts';
import { QueryError } from '../query/query-error.ts';
import type { Answer, QueryService } from '../query/query-service.ts';
import { parseQueryJson } from './json-mistake.ts';
import { type Parameters, readClause, readFlag, readPaging, readParameters } from './query-parameters.ts';
import { type QueryPath, type Required, readQueryPath } from './query-path.ts';
import { answeringMistakes, errorJson, jsonAnswer, textAnswer } from './text-answer.ts';

const mount = '/pdb/query/v4';

/** Queries with thousands of names in an array. */
const maxBodyBytes = 16 * 1024 * 1024;

const countParameters = ['summarize_by', 'count_by', 'counts_filter', ...distinctParameters()];

function distinctParameters(): readonly string[] {
  return ['distinct_resources', 'distinct_start_time', 'distinct_end_time'];
}

export function queryRoutes(service: QueryService, allow: Access): readonly Route[] {
  const handle = (request: HttpRequest): Promise<HttpResponse> =>
    answeringMistakes(() => answer(service, request));
  return ['GET', 'POST'].flatMap((method) =>
    [mount, `${mount}/*`].map((path) =>
      route({ method: method as 'GET' | 'POST', path, allow, maxBodyBytes, handle }),
    ),
  );
}

async function answer(service: QueryService, request: HttpRequest): Promise<HttpResponse> {
  const refusal = refuseFormat(request);
  if (refusal !== undefined) return refusal;
  const segments = request.path
    .slice(mount.length + 1)
    .split('/')
    .map(decodeURIComponent);
  const path = readQueryPath(segments);
  if (path === undefined || (path.kind === 'rows' && !service.hasEntity(path.entity))) {
    return dashboard(request);
  }
  return await ask(service, request, path);
}

async function ask(service: QueryService, request: HttpRequest, path: QueryPath): Promise<HttpResponse> {
  switch (path.kind) {
    case 'root':
      return await askRoot(service, await readParameters(request, ['ast_only']));
    case 'event-counts':
      return await askCounts(service, await readParameters(request, countParameters), path.isAggregate);
    case 'one': {
      const row = await findRequired(service, path.required);
      return row === undefined ? unknown(path.required) : jsonAnswer(row);
    }
    case 'part': {
      const row = await findRequired(service, path.required, path.column);
      return row === undefined ? unknown(path.required) : jsonAnswer(partOf(row, path.column));
    }
    case 'rows': {
      const more = path.entity === 'events' ? distinctParameters() : ['include_facts_expiration'];
      const parameters = await readParameters(request, more);
      if (
        path.required !== undefined &&
        (await findRequired(service, path.required, path.required.field)) === undefined
      ) {
        return unknown(path.required);
      }
      const query = readClause(parameters, 'query');
      const includeTotal = readFlag(parameters, 'include_total');
      const { entity, conditions } = path;
      const rows = await service.ask({
        entity,
        query,
        paging: readPaging(parameters),
        conditions,
        includeTotal,
      });
      return rowsAnswer(rows, parameters);
    }
    default:
      return path satisfies never;
  }
}

async function askRoot(service: QueryService, parameters: Parameters): Promise<HttpResponse> {
  const query = rootQuery(parameters);
  if (readFlag(parameters, 'ast_only')) return jsonAnswer(JSON.stringify(service.ast(query)));
  const includeTotal = readFlag(parameters, 'include_total');
  return rowsAnswer(await service.askRoot(query, readPaging(parameters), includeTotal), parameters);
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
): Promise<HttpResponse> {
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
  return rows[0];
}

function partOf(row: string, column: string): string {
  const parsed: Readonly<Record<string, { readonly data?: unknown }>> = JSON.parse(row);
  return JSON.stringify(parsed[column]?.data ?? []);
}

function rowsAnswer({ rows, total }: Answer, parameters: Parameters): HttpResponse {
  const headers: Readonly<Record<string, string>> = total === undefined ? {} : { 'X-Records': String(total) };
  const text = `[${rows.join(',')}]`;
  return jsonAnswer(
    readFlag(parameters, 'pretty') ? JSON.stringify(JSON.parse(text), null, 2) : text,
    headers,
  );
}

function unknown({ label, value }: Required): HttpResponse {
  return errorJson(`No information is known about ${label} ${value}`, 404);
}

function refuseFormat({ method, headers }: HttpRequest): HttpResponse | undefined {
  const accept = headers.accept ?? '*/*';
  if (!/application\/(json|\*)|\*\/\*/.test(accept)) return textAnswer('must accept application/json', 406);
  if (method !== 'POST') return undefined;
  const [type = ''] = (headers['content-type'] ?? 'application/json').split(';');
  if (type.trim().toLowerCase() === 'application/json') return undefined;
  return textAnswer(`content type ${type.trim()} not supported`, 415);
}

/** The reference sends what it does not know to its dashboard. */
function dashboard({ headers, path }: HttpRequest): HttpResponse {
  const origin = headers.host === undefined ? '' : `http://${headers.host}`;
  return { status: 302, headers: { location: `${origin}${path}/dashboard/index.html` }, body: '' };
}

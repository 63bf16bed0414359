/** The words of PuppetDB's query language: entities with their fields, operators, functions. */

/** Fields by entity, as PuppetDB documents them. */
export const pqlEntities: Readonly<Record<string, readonly string[]>> = {
  nodes: [
    'certname',
    'catalog_environment',
    'report_environment',
    'facts_environment',
    'catalog_timestamp',
    'report_timestamp',
    'facts_timestamp',
    'latest_report_status',
    'latest_report_noop',
    'latest_report_noop_pending',
    'latest_report_corrective_change',
    'latest_report_hash',
    'latest_report_job_id',
    'cached_catalog_status',
    'deactivated',
    'expired',
    'node_state',
  ],
  inventory: ['certname', 'environment', 'timestamp', 'facts', 'trusted'],
  facts: ['certname', 'environment', 'name', 'value'],
  fact_contents: ['certname', 'environment', 'path', 'name', 'value'],
  fact_names: ['name'],
  fact_paths: ['path', 'type', 'name'],
  factsets: ['certname', 'environment', 'timestamp', 'producer_timestamp', 'producer', 'hash', 'facts'],
  catalogs: [
    'certname',
    'environment',
    'version',
    'hash',
    'code_id',
    'transaction_uuid',
    'catalog_uuid',
    'producer',
    'producer_timestamp',
    'job_id',
    'resources',
    'edges',
  ],
  resources: [
    'certname',
    'environment',
    'type',
    'title',
    'resource',
    'parameters',
    'tag',
    'tags',
    'exported',
    'file',
    'line',
  ],
  edges: ['certname', 'relationship', 'source_type', 'source_title', 'target_type', 'target_title'],
  reports: [
    'certname',
    'hash',
    'environment',
    'status',
    'noop',
    'noop_pending',
    'corrective_change',
    'puppet_version',
    'report_format',
    'configuration_version',
    'start_time',
    'end_time',
    'producer_timestamp',
    'receive_time',
    'producer',
    'transaction_uuid',
    'catalog_uuid',
    'code_id',
    'job_id',
    'cached_catalog_status',
    'latest_report?',
  ],
  events: [
    'certname',
    'report',
    'status',
    'timestamp',
    'run_start_time',
    'run_end_time',
    'report_receive_time',
    'resource_type',
    'resource_title',
    'property',
    'name',
    'old_value',
    'new_value',
    'message',
    'file',
    'line',
    'containment_path',
    'containing_class',
    'environment',
    'configuration_version',
    'latest_report?',
  ],
  environments: ['name'],
  producers: ['name'],
  packages: ['package_name', 'version', 'provider'],
  package_inventory: ['certname', 'package_name', 'version', 'provider'],
};

export const pqlKeywords = [
  'and',
  'or',
  'in',
  'is',
  'not',
  'null',
  'true',
  'false',
  'group',
  'order',
  'by',
  'asc',
  'desc',
  'limit',
  'offset',
];

export const pqlFunctions = ['count()', 'avg()', 'sum()', 'min()', 'max()', 'to_string()'];

export type PqlTokenKind = 'string' | 'number' | 'keyword' | 'entity' | 'field' | 'operator' | 'bracket';

const keywords = new Set(pqlKeywords);
const patterns: readonly (readonly [pattern: RegExp, kind: PqlTokenKind | 'word' | undefined])[] = [
  [/^\s+/, undefined],
  [/^"(?:[^"\\]|\\.)*"?/, 'string'],
  [/^'(?:[^'\\]|\\.)*'?/, 'string'],
  [/^-?\d+(?:\.\d+)?\b/, 'number'],
  [/^[A-Za-z_][\w-]*\??(?:\.[\w-]+)*/, 'word'],
  [/^(?:~>|>=|<=|[~=<>!])/, 'operator'],
  [/^[{}()[\],.]/, 'bracket'],
];

/** The token at the beginning of a text, for highlighting. */
export function pqlToken(text: string): { readonly length: number; readonly kind: PqlTokenKind | undefined } {
  for (const [pattern, kind] of patterns) {
    const found = pattern.exec(text)?.[0];
    if (found === undefined) continue;
    if (kind !== 'word') return { length: found.length, kind };
    if (keywords.has(found)) return { length: found.length, kind: 'keyword' };
    const isEntity = found in pqlEntities && /^\s*[[{]/.test(text.slice(found.length));
    return { length: found.length, kind: isEntity ? 'entity' : 'field' };
  }
  return { length: 1, kind: undefined };
}

/** The completions at a position of a query. */
export interface PqlPlace {
  /** The word that is being written begins there. */
  readonly from: number;
  /** `entity` outside of braces, `field` within; `fact` behind `facts.` or `trusted.`. */
  readonly kind: 'entity' | 'field' | 'fact';
  /** Of the entity that the place is in. */
  readonly fields: readonly string[];
  /** `os.` when `facts.os.na` is written. */
  readonly factPrefix: string;
}

/** @param before - the query up to the cursor; `undefined` within a string */
export function pqlPlace(before: string): PqlPlace | undefined {
  if (isInString(before)) return undefined;
  const word = /[\w.?-]*$/.exec(before)?.[0] ?? '';
  const from = before.length - word.length;
  const entity = enclosingEntity(before.slice(0, from));
  const fact = /^(facts|trusted)\.(.*)$/.exec(word);
  if (fact !== null) {
    const [, root = '', path = ''] = fact;
    const prefix = path.slice(0, path.lastIndexOf('.') + 1);
    return {
      from: from + word.length - (path.length - prefix.length),
      kind: 'fact',
      fields: [],
      factPrefix: root === 'trusted' ? `trusted.${prefix}` : prefix,
    };
  }
  if (entity === undefined) return { from, kind: 'entity', fields: [], factPrefix: '' };
  return { from, kind: 'field', fields: pqlEntities[entity] ?? [], factPrefix: '' };
}

function isInString(text: string): boolean {
  let quote: string | undefined;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (quote !== undefined && character === '\\') index++;
    else if (character === quote) quote = undefined;
    else if (quote === undefined && (character === '"' || character === "'")) quote = character;
  }
  return quote !== undefined;
}

/** The entity whose brackets or braces are open at the end of a text. */
function enclosingEntity(text: string): string | undefined {
  const open: (string | undefined)[] = [];
  let last: string | undefined;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[A-Za-z_][\w-]*|[{}[\]]/g)) {
    if (token === '{' || token === '[')
      open.push(last !== undefined && last in pqlEntities ? last : open.at(-1));
    else if (token === '}') open.pop();
    else if (token === ']') {
      // The braces that follow belong to the same entity.
      last = open.pop();
      continue;
    }
    if (/^\w/.test(token)) last = token;
  }
  return open.at(-1);
}

/** Where PuppetDB found a mistake, as an offset into the query. */
export function mistakeOffset(message: string, query: string): number | undefined {
  const [, line, column] = /at line (\d+), column (\d+)/.exec(message) ?? [];
  if (line === undefined || column === undefined) return undefined;
  const lines = query.split('\n').slice(0, Number(line) - 1);
  const offset = lines.reduce((sum, each) => sum + each.length + 1, 0) + Number(column) - 1;
  return Math.min(offset, query.length);
}

/** PuppetDB's message about a syntax error, on one line; other messages unchanged. */
export function mistakeText(message: string): string {
  const [, place, expected] =
    /at (line \d+, column \d+):[^]*?\n\nExpected(?: one of)?:\s*([^]*)$/.exec(message) ?? [];
  if (place === undefined || expected === undefined) return message;
  const words = expected
    .split('\n')
    .map((word) => word.trim())
    .filter((word) => word !== '' && !word.startsWith('#"'));
  return `At ${place}: expected ${words.length === 0 ? 'something else' : words.join(', ')}`;
}

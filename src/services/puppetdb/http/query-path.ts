/** What a path below `/pdb/query/v4` asks for. */

import type { Clause } from '../query/ast.ts';
import type { EntityRows, Required } from '../query/query.ts';

export type QueryPath =
  | { readonly kind: 'root' }
  | { readonly kind: 'event-counts'; readonly isAggregate: boolean }
  | ({ readonly kind: 'rows' } & EntityRows & {
        readonly conditions: readonly Clause[];
        readonly required: readonly Required[];
      })
  | {
      readonly kind: 'one';
      readonly required: Required;
      /** Where it is looked for, which must be known as well. */
      readonly within?: readonly Required[];
      /** Whether only parameters are understood that have nothing to do with rows. */
      readonly isAskedPlainly?: boolean;
    }
  /** A part of one thing: the logs of a report. */
  | { readonly kind: 'part'; readonly required: Required; readonly column: string };

type Rest = readonly string[];
type Reader = (rest: Rest) => QueryPath | undefined;

/** What names of things in a path may consist of, as they are sent. */
const segment = /^[\w%.~:-]*$/;

/** @param path - what follows the API's own, encoded @returns `undefined` for a path that means nothing */
export function readQueryPath(path: string): QueryPath | undefined {
  if (path === '') return { kind: 'root' };
  const [, entity = '', ...rest] = path.split('/');
  if (entity === 'event-counts' || entity === 'aggregate-event-counts') {
    return rest.length === 0 ? { kind: 'event-counts', isAggregate: entity !== 'event-counts' } : undefined;
  }
  if (!rest.every((name) => segment.test(name))) return undefined;
  return readEntityPath(entity, rest.map(decodeURIComponent));
}

function readEntityPath(entity: string, rest: Rest): QueryPath | undefined {
  if (rest.length > 0) return readers.get(entity)?.(rest);
  if (!readers.has(entity) && !listed.has(entity)) return undefined;
  return { kind: 'rows', entity, conditions: [], required: [] };
}

/** What has rows and nothing below. */
const listed: ReadonlySet<string> = new Set([
  'catalog-input-contents',
  'catalog-inputs',
  'edges',
  'events',
  'fact-contents',
  'fact-names',
  'fact-paths',
  'inventory',
  'packages',
]);

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['nodes', nodePath],
  ['facts', factPath],
  ['resources', resourcePath],
  ['catalogs', catalogPath],
  ['factsets', factsetPath],
  ['environments', (rest) => namedPath(rest, 'environment', ['events', 'facts', 'reports', 'resources'])],
  ['producers', (rest) => namedPath(rest, 'producer', ['catalogs', 'factsets', 'reports'])],
  ['reports', reportPath],
  ['package-inventory', packagePath],
]);

function nodePath([certname = '', child, ...rest]: Rest): QueryPath | undefined {
  const required: Required = { label: 'node', entity: 'nodes', field: 'certname', value: certname };
  if (child === undefined) return { kind: 'one', required };
  if (child !== 'facts' && child !== 'resources') return undefined;
  return within(readEntityPath(child, rest), required, ['=', 'certname', certname]);
}

function factPath([name, value, ...rest]: Rest): QueryPath | undefined {
  return rest.length > 0 ? undefined : rows('facts', { name, value });
}

function resourcePath([type, title, ...rest]: Rest): QueryPath | undefined {
  return rest.length > 0 ? undefined : rows('resources', { type, title });
}

function rows(entity: string, names: Readonly<Record<string, string | undefined>>): QueryPath {
  const conditions = Object.entries(names).flatMap(([field, value]): readonly Clause[] =>
    value === undefined ? [] : [['=', field, value]],
  );
  return { kind: 'rows', entity, conditions, required: [] };
}

/** The reference answers the edges of all nodes, whichever is named. */
function catalogPath([certname = '', child, ...rest]: Rest): QueryPath | undefined {
  const required: Required = { label: 'catalog', entity: 'catalogs', field: 'certname', value: certname };
  if (child === undefined) return { kind: 'one', required };
  if (child === 'edges') return within(readEntityPath(child, rest), required);
  if (child !== 'resources') return undefined;
  return within(readEntityPath(child, rest), required, ['=', 'certname', certname]);
}

/** The facts of a set are answered as the set that they are in. */
function factsetPath([certname = '', child, ...rest]: Rest): QueryPath | undefined {
  const required: Required = { label: 'factset', entity: 'factsets', field: 'certname', value: certname };
  if (child === undefined) return { kind: 'one', required };
  if (rest.length > 0 || child !== 'facts') return undefined;
  const found: QueryPath = {
    kind: 'rows',
    entity: 'factsets',
    conditions: [],
    required: [],
    isOfAnyNode: true,
  };
  return within(found, required, ['=', 'certname', certname]);
}

function namedPath([name = '', child, ...rest]: Rest, label: string, children: Rest): QueryPath | undefined {
  const required: Required = { label, entity: `${label}s`, field: 'name', value: name };
  if (child === undefined) return { kind: 'one', required, isAskedPlainly: true };
  if (!children.includes(child)) return undefined;
  return within(readEntityPath(child, rest), required, ['=', label, name]);
}

function reportPath([hash = '', child, ...rest]: Rest): QueryPath | undefined {
  const required: Required = { label: 'report', entity: 'reports', field: 'hash', value: hash };
  if (child === 'events') return within(readEntityPath(child, rest), required, ['=', 'report', hash]);
  if (rest.length > 0) return undefined;
  return child === 'metrics' || child === 'logs' ? { kind: 'part', required, column: child } : undefined;
}

function packagePath([certname = '', ...rest]: Rest): QueryPath | undefined {
  if (rest.length > 0) return undefined;
  const conditions: readonly Clause[] = [['=', 'certname', certname]];
  return { kind: 'rows', entity: 'package-inventory', conditions, required: [], isOfAnyNode: true };
}

/** What is below something that must be known; its rows are those for which a condition holds. */
function within(path: QueryPath | undefined, outer: Required, condition?: Clause): QueryPath | undefined {
  if (path?.kind === 'one') return { ...path, within: [outer, ...(path.within ?? [])] };
  if (path?.kind !== 'rows') return path;
  const conditions = condition === undefined ? path.conditions : [...path.conditions, condition];
  return { ...path, conditions, required: [outer, ...path.required] };
}

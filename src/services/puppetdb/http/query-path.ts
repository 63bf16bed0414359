/** What a path below `/pdb/query/v4` asks for. */

import type { Clause } from '../query/ast.ts';

/** Something that must be known, or the answer is 404. */
export interface Required {
  /** As the error names it: `node`. */
  readonly label: string;
  readonly entity: string;
  readonly field: string;
  readonly value: string;
}

export type QueryPath =
  | { readonly kind: 'root' }
  | { readonly kind: 'event-counts'; readonly isAggregate: boolean }
  | {
      readonly kind: 'rows';
      readonly entity: string;
      readonly conditions: readonly Clause[];
      readonly required?: Required;
    }
  | { readonly kind: 'one'; readonly required: Required }
  /** A part of one thing: the logs of a report. */
  | { readonly kind: 'part'; readonly required: Required; readonly column: string };

type Rest = readonly string[];

/** @param segments - decoded; @returns `undefined` for a path that means nothing */
export function readQueryPath(segments: Rest): QueryPath | undefined {
  const [entity, ...rest] = segments;
  if (entity === undefined || entity === '') return { kind: 'root' };
  if (entity === 'event-counts' || entity === 'aggregate-event-counts') {
    return rest.length === 0 ? { kind: 'event-counts', isAggregate: entity !== 'event-counts' } : undefined;
  }
  if (rest.length === 0) return { kind: 'rows', entity, conditions: [] };
  return readers.get(entity)?.(rest);
}

const readers: ReadonlyMap<string, (rest: Rest) => QueryPath | undefined> = new Map([
  ['nodes', nodePath],
  ['facts', factPath],
  ['resources', resourcePath],
  ['catalogs', (rest: Rest) => ownedPath(rest, 'catalog', 'catalogs', ['edges', 'resources'])],
  ['factsets', (rest: Rest) => ownedPath(rest, 'factset', 'factsets', ['facts'])],
  [
    'environments',
    (rest: Rest) => namedPath(rest, 'environment', ['events', 'facts', 'reports', 'resources']),
  ],
  ['producers', (rest: Rest) => namedPath(rest, 'producer', ['catalogs', 'factsets', 'reports'])],
  ['reports', reportPath],
  ['package-inventory', packagePath],
]);

function nodePath([certname = '', child, ...rest]: Rest): QueryPath | undefined {
  const required = { label: 'node', entity: 'nodes', field: 'certname', value: certname };
  if (child === undefined) return { kind: 'one', required };
  const inner = child === 'facts' ? factPath(rest) : child === 'resources' ? resourcePath(rest) : undefined;
  if (inner?.kind !== 'rows') return undefined;
  return { ...inner, conditions: [['=', 'certname', certname], ...inner.conditions], required };
}

function factPath([name, value, ...rest]: Rest): QueryPath | undefined {
  if (rest.length > 0) return undefined;
  const conditions: Clause[] = [];
  if (name !== undefined) conditions.push(['=', 'name', name]);
  if (value !== undefined) conditions.push(['=', 'value', value]);
  return { kind: 'rows', entity: 'facts', conditions };
}

function resourcePath([type, title, ...rest]: Rest): QueryPath | undefined {
  if (rest.length > 0) return undefined;
  const conditions: Clause[] = [];
  if (type !== undefined) conditions.push(['=', 'type', type]);
  if (title !== undefined) conditions.push(['=', 'title', title]);
  return { kind: 'rows', entity: 'resources', conditions };
}

function ownedPath(
  [certname = '', child, ...rest]: Rest,
  label: string,
  entity: string,
  children: Rest,
): QueryPath | undefined {
  const required = { label, entity, field: 'certname', value: certname };
  if (child === undefined) return { kind: 'one', required };
  if (rest.length > 0 || !children.includes(child)) return undefined;
  return { kind: 'rows', entity: child, conditions: [['=', 'certname', certname]], required };
}

function namedPath([name = '', child, ...rest]: Rest, label: string, children: Rest): QueryPath | undefined {
  const required = { label, entity: `${label}s`, field: 'name', value: name };
  if (child === undefined) return { kind: 'one', required };
  if (!children.includes(child)) return undefined;
  const inner = child === 'facts' ? factPath(rest) : child === 'resources' ? resourcePath(rest) : undefined;
  if (rest.length > 0 && inner === undefined) return undefined;
  const more = inner?.kind === 'rows' ? inner.conditions : [];
  return { kind: 'rows', entity: child, conditions: [['=', label, name], ...more], required };
}

function reportPath([hash = '', child, ...rest]: Rest): QueryPath | undefined {
  const required = { label: 'report', entity: 'reports', field: 'hash', value: hash };
  if (rest.length > 0) return undefined;
  if (child === 'events') {
    return { kind: 'rows', entity: 'events', conditions: [['=', 'report', hash]], required };
  }
  return child === 'metrics' || child === 'logs' ? { kind: 'part', required, column: child } : undefined;
}

function packagePath([certname = '', ...rest]: Rest): QueryPath | undefined {
  if (rest.length > 0) return undefined;
  return { kind: 'rows', entity: 'package_inventory', conditions: [['=', 'certname', certname]] };
}

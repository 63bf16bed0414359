/**
 * Rules as queries of PuppetDB, for its `nodes` or its `inventory`: the nodes that match.
 *
 * Rules compare text, and facts have types: `"true"` and `"4"` are asked for as text, and as what they are text of.
 *
 * @see PE, "Rules endpoint"; "GET /v1/groups/<id>/rules"
 */

import { ServiceError } from '../../lib/service-error.ts';
import type { Comparison, Condition, Path } from './condition.ts';

/** Of which entity of PuppetDB the query asks. */
export type QueryFormat = 'nodes' | 'inventory';

/** PuppetDB's abstract syntax. */
export type Query = readonly [string, ...(readonly QueryPart[])];
type QueryPart = string | number | boolean | readonly QueryPart[];

/**
 * @throws ServiceError `unprocessable` for what PuppetDB has no words for: structured and trusted facts among `nodes`
 */
export function translateRule(rule: Condition, format: QueryFormat): Query {
  try {
    return translate(rule, fieldOf[format]) ?? all;
  } catch (error) {
    if (!(error instanceof Untranslatable)) throw error;
    throw new ServiceError('unprocessable', `The rule cannot be translated because ${error.message}`, {
      kind: 'untranslatable-rule',
      // A list, which clients get as it is.
      details: rule as unknown as Readonly<Record<string, unknown>>,
      cause: error,
    });
  }
}

class Untranslatable extends Error {}

type Field = (path: Path) => string | readonly string[];

const fieldOf: Readonly<Record<QueryFormat, Field>> = { nodes: nodesField, inventory: inventoryField };

/** @returns `undefined` for what is true of all */
function translate(condition: Condition, field: Field): Query | undefined {
  switch (condition[0]) {
    case 'not': {
      const inner = translate(condition[1], field);
      // Of no node.
      return ['not', inner ?? all];
    }
    case 'and':
    case 'or': {
      const [operator, ...conditions] = condition as readonly ['and' | 'or', ...Condition[]];
      const inner = conditions.map((each) => translate(each, field));
      const some = inner.filter((each) => each !== undefined);
      if (operator === 'or' && some.length < inner.length) return undefined;
      return some.length > 1 ? [operator, ...some] : some[0];
    }
    default:
      return translateComparison(condition as Comparison, field);
  }
}

const all: Query = ['~', 'certname', '.*'];

function translateComparison([operator, path, target]: Comparison, field: Field): Query | undefined {
  if (path === 'name' && operator === '~' && target === '.*') return undefined;
  const asked = field(path);
  switch (operator) {
    case '=': {
      const meanings = path === 'name' ? [target] : [target, ...typed(target)];
      const queries = meanings.map((value): Query => ['=', asked, value]);
      const [only] = queries;
      return queries.length === 1 ? only : ['or', ...queries];
    }
    case '~':
      return ['~', asked, target];
    default: {
      const limit = Number(target);
      // A comparison with an invalid number is never true.
      return target.trim() === '' || Number.isNaN(limit) ? ['not', all] : [operator, asked, limit];
    }
  }
}

/** What is written so in a rule and may be something else than text in a fact. */
function typed(target: string): readonly (number | boolean)[] {
  if (target === 'true' || target === 'false') return [target === 'true'];
  return String(Number(target)) === target && Number.isFinite(Number(target)) ? [Number(target)] : [];
}

function nodesField(path: Path): string | readonly string[] {
  if (path === 'name') return 'certname';
  const [kind, name, ...rest] = typeof path === 'string' ? [path] : path;
  if (kind === 'trusted') throw new Untranslatable('PuppetDB does not support trusted facts.');
  if (kind !== 'fact' || name === undefined) throw new Untranslatable(noSuchField(path));
  if (rest.length > 0) throw new Untranslatable('PuppetDB does not support structured facts.');
  return ['fact', String(name)];
}

function inventoryField(path: Path): string {
  if (path === 'name') return 'certname';
  const [kind, ...steps] = typeof path === 'string' ? [path] : path;
  if ((kind !== 'fact' && kind !== 'trusted') || steps.length === 0)
    throw new Untranslatable(noSuchField(path));
  const written = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${quoted(step)}`));
  return `${kind === 'fact' ? 'facts' : kind}${written.join('')}`;
}

function quoted(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}

function noSuchField(path: Path): string {
  return `PuppetDB has no field ${JSON.stringify(path)}.`;
}

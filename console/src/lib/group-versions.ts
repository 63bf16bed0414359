/** Compares and merges two versions of a group that two people edited at the same time. */

import type { GroupDefinition } from './group-edits.ts';
import { othersOf, pinsOf, withPin } from './group-rule.ts';
import { isSame } from './undo.ts';

export type Side = 'mine' | 'theirs';

export interface VersionDifference {
  /** `['classes', 'ntp', 'servers']`; rules are `['comparisons']` and `['pins', CERTNAME]`. */
  readonly path: readonly string[];
  /** `undefined` when the part is absent. */
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Who changed it. `both` needs a choice. */
  readonly changedBy: Side | 'both';
}

type Values = Readonly<Record<string, unknown>>;

/** @param base - the version that both started from */
export function versionDifferences(
  base: GroupDefinition,
  mine: GroupDefinition,
  theirs: GroupDefinition,
): readonly VersionDifference[] {
  const found: VersionDifference[] = [];
  merge([partsOf(base), partsOf(mine), partsOf(theirs)], [], (difference) => {
    found.push(difference);
    return undefined;
  });
  return found;
}

/**
 * What either has changed, in one group, which replaces theirs.
 *
 * @param choose - returns whose version to keep for a part that both changed
 */
export function mergedVersions(
  base: GroupDefinition,
  mine: GroupDefinition,
  theirs: GroupDefinition,
  choose: (difference: VersionDifference) => Side,
): GroupDefinition {
  const parts = merge([partsOf(base), partsOf(mine), partsOf(theirs)], [], (difference) => {
    const side = difference.changedBy === 'both' ? choose(difference) : difference.changedBy;
    return difference[side];
  }) as Values;
  const { comparisons, pins = {}, ...fields } = parts;
  const rule = ruleOf(comparisons as readonly unknown[], Object.keys(pins as object), [
    mine.rule,
    theirs.rule,
  ]);
  const { rule: _, serial_number: serial, description: __, ...rest } = theirs;
  return {
    ...rest,
    ...(fields as Partial<GroupDefinition>),
    ...(rule === undefined ? {} : { rule }),
    ...(serial === undefined ? {} : { serial_number: serial }),
  };
}

/** Pins one by one, so that two people may pin nodes at the same time. */
function partsOf(group: GroupDefinition): Values {
  const { classes, config_data, description, environment, environment_trumps, name, parent, rule } = group;
  return {
    name,
    parent,
    environment,
    environment_trumps,
    ...(description === undefined ? {} : { description }),
    comparisons: othersOf(rule),
    pins: Object.fromEntries(pinsOf(rule).map((pin) => [pin, true])),
    classes,
    variables: group.variables,
    config_data,
  };
}

/** @param written - rules whose text is kept when they are equivalent */
function ruleOf(
  comparisons: readonly unknown[],
  pins: readonly string[],
  written: readonly unknown[],
): unknown {
  const same = written.find(
    (rule) => isSame(othersOf(rule), comparisons) && isSame(pinsOf(rule).toSorted(), pins.toSorted()),
  );
  if (same !== undefined) return same;
  const [only] = comparisons;
  const compared = comparisons.length > 1 ? ['or', ...comparisons] : only;
  return pins.reduce<unknown>(withPin, compared);
}

type Resolve = (difference: VersionDifference) => unknown;

function merge(
  [base, mine, theirs]: readonly [unknown, unknown, unknown],
  path: readonly string[],
  resolve: Resolve,
): unknown {
  if (isSame(mine, theirs)) return mine;
  if (isObject(mine) && isObject(theirs)) {
    const old = isObject(base) ? base : {};
    const keys = Array.from(new Set([old, mine, theirs].flatMap((each) => Object.keys(each))));
    const merged = keys.map(
      (key) => [key, merge([old[key], mine[key], theirs[key]], [...path, key], resolve)] as const,
    );
    return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  }
  const changedBy = isSame(base, mine) ? 'theirs' : isSame(base, theirs) ? 'mine' : 'both';
  return resolve({ path, mine, theirs, changedBy });
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The name of a path on the page of the group. */
export function partName([kind = '', ...rest]: readonly string[]): string {
  const [name = '', ...below] = rest;
  const parameter = below.length === 0 ? '' : `::${below.join('.')}`;
  switch (kind) {
    case 'name':
      return 'Node group name';
    case 'parent':
      return 'Parent name';
    case 'environment':
      return 'Environment';
    case 'environment_trumps':
      return 'Environment group';
    case 'description':
      return 'Description';
    case 'comparisons':
      return 'Rule';
    case 'pins':
      return `Pin of ${name}`;
    case 'classes':
      return `${parameter === '' ? 'Class' : 'Parameter'} ${name}${parameter}`;
    case 'config_data':
      return `Data ${name}${parameter}`;
    default:
      return `Variable ${rest.join('.')}`;
  }
}

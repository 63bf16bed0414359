/** Editable rules of node groups: pins, and nested comparisons under all, any or none. */

export interface RuleTerm {
  /** `trusted.extensions.pp_role`; names without `trusted.` before them are facts. */
  readonly fact: string;
  readonly operator: RuleOperator;
  readonly value: string;
}

export const ruleOperators = ['=', '!=', '~', '!~', '>', '>=', '<', '<='] as const;
export type RuleOperator = (typeof ruleOperators)[number];

export const ruleKinds = ['all', 'any', 'none'] as const;
export type RuleKind = (typeof ruleKinds)[number];

/** A list of conditions under all, any or none. */
export interface RuleGroup {
  readonly kind: RuleKind;
  readonly parts: readonly RulePart[];
}

export type RulePart = RuleTerm | RuleGroup;

export interface EditableRule {
  readonly top: RuleGroup;
  readonly pins: readonly string[];
}

/** @returns `undefined` for a rule that the editor does not support */
export function decodeRule(rule: unknown): EditableRule | undefined {
  const parts = rule === undefined || rule === null ? [] : partsOf(rule);
  const pins = parts.flatMap(pinOf);
  const others = parts.filter((part) => pinOf(part).length === 0).map(decodePart);
  if (others.includes(undefined)) return undefined;
  const known = others.flatMap((part) => (part === undefined ? [] : [part]));
  const [only] = known;
  if (known.length === 1 && only !== undefined && isGroup(only)) return { top: only, pins };
  return { top: { kind: known.length > 1 ? 'any' : 'all', parts: known }, pins };
}

/** @returns `null` for a rule that matches nothing */
export function encodeRule({ pins, top }: EditableRule): unknown {
  const pinned = pins.map((name) => ['=', 'name', name]);
  const compared = top.parts.length === 0 ? [] : [encodePart(top)];
  if (pinned.length === 0) return compared[0] ?? null;
  return ['or', ...compared, ...pinned];
}

export function isGroup(part: RulePart): part is RuleGroup {
  return 'parts' in part;
}

/** `fact = value`, or `all of (..., ...)`. */
export function partText(part: RulePart): string {
  if (!isGroup(part)) return `${part.fact} ${part.operator} ${part.value}`;
  return `${part.kind} of (${part.parts.map(partText).join(', ')})`;
}

/** A rule in words. */
export function ruleText(rule: unknown): string {
  const known = decodeRule(rule);
  if (known === undefined) return JSON.stringify(rule);
  const { pins, top } = known;
  const [only] = top.parts;
  const compared =
    only === undefined
      ? []
      : [top.parts.length === 1 && top.kind !== 'none' ? partText(only) : partText(top)];
  const pinned =
    pins.length === 0 ? [] : [pins.length === 1 ? '1 pinned node' : `${pins.length} pinned nodes`];
  const text = [...compared, ...pinned].join(', or ');
  return text === 'name ~ .*' ? 'every node' : text;
}

/** The effective rule of a group: its own and the inherited ones. */
export function withInherited(rule: unknown, above: readonly unknown[]): unknown {
  const known = above.filter((each) => each !== undefined && each !== null);
  return known.length === 0 ? rule : ['and', rule, ...known];
}

function decodePart(part: unknown): RulePart | undefined {
  if (!Array.isArray(part)) return undefined;
  const [operator, ...rest] = part as readonly unknown[];
  if (operator === 'and' || operator === 'or') return decodeGroup(operator === 'and' ? 'all' : 'any', rest);
  const term = decodeTerm(part);
  if (term !== undefined || operator !== 'not') return term;
  const [inner] = rest;
  const isAny = Array.isArray(inner) && inner[0] === 'or';
  return decodeGroup('none', isAny ? inner.slice(1) : [inner]);
}

function decodeGroup(kind: RuleKind, written: readonly unknown[]): RuleGroup | undefined {
  const parts = written.map(decodePart);
  return parts.includes(undefined)
    ? undefined
    : { kind, parts: parts.flatMap((part) => (part === undefined ? [] : [part])) };
}

function encodePart(part: RulePart): unknown {
  if (!isGroup(part)) return encodeTerm(part);
  const parts = part.parts.map(encodePart);
  if (part.kind === 'none') return ['not', ['or', ...parts]];
  return [part.kind === 'all' ? 'and' : 'or', ...parts];
}

/** The rule with one more node pinned; what else it says stays as it is written. */
export function withPin(rule: unknown, name: string): unknown {
  const parts = rule === undefined || rule === null ? [] : partsOf(rule);
  return ['or', ...parts, ['=', 'name', name]];
}

/** The rule without the pin of a node. @returns `null` when nothing is left */
export function withoutPin(rule: unknown, name: string): unknown {
  const staying = partsOf(rule).filter((part) => !pinOf(part).includes(name));
  return staying.length === 0 ? null : ['or', ...staying];
}

/** The names of the nodes that a rule pins. */
export function pinsOf(rule: unknown): readonly string[] {
  return rule === undefined || rule === null ? [] : partsOf(rule).flatMap(pinOf);
}

/**
 * The comparisons beside the pins, of which one has to hold. `["or", a, b]` and the `["or", ["or", a, b], pin]` that a pin makes of it
 * have the same.
 */
export function othersOf(rule: unknown): readonly unknown[] {
  const parts = rule === undefined || rule === null ? [] : partsOf(rule);
  const others = parts.filter((part) => pinOf(part).length === 0);
  const [only] = others;
  return others.length === 1 && Array.isArray(only) && only[0] === 'or' ? only.slice(1) : others;
}

/** Facts are what nodes say of themselves; only certificates prove something, the name too. */
export function isClaim({ fact }: RuleTerm): boolean {
  return fact !== 'name' && !fact.startsWith('trusted.');
}

function partsOf(rule: unknown): readonly unknown[] {
  return Array.isArray(rule) && rule[0] === 'or' ? rule.slice(1) : [rule];
}

function pinOf(part: unknown): readonly string[] {
  return Array.isArray(part) && part[0] === '=' && part[1] === 'name' ? [String(part[2])] : [];
}

function decodeTerm(term: unknown): RuleTerm | undefined {
  if (!Array.isArray(term)) return undefined;
  const [operator, path, value] = term as readonly unknown[];
  if (operator === 'not') {
    const inner = decodeTerm(path);
    if (inner?.operator === '=') return { ...inner, operator: '!=' };
    return inner?.operator === '~' ? { ...inner, operator: '!~' } : undefined;
  }
  const known = ruleOperators.find((each) => each === operator);
  if (known === undefined) return undefined;
  return { fact: decodePath(path), operator: known, value: String(value) };
}

function decodePath(path: unknown): string {
  if (!Array.isArray(path)) return String(path);
  const [root, ...rest] = path as readonly unknown[];
  return root === 'fact' ? rest.join('.') : [root, ...rest].join('.');
}

function encodeTerm({ fact, operator, value }: RuleTerm): unknown {
  if (operator === '!=' || operator === '!~')
    return ['not', encodeTerm({ fact, value, operator: operator === '!=' ? '=' : '~' })];
  return [operator, encodePath(fact), value];
}

function encodePath(fact: string): string | readonly string[] {
  if (fact === 'name') return fact;
  const segments = fact.split('.');
  return segments[0] === 'trusted' || segments[0] === 'fact' ? segments : ['fact', ...segments];
}

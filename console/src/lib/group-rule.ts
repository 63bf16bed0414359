/** Rules of node groups as people edit them: pins, and comparisons of which all or any must hold. */

export interface RuleTerm {
  /** `trusted.extensions.pp_role`; names without `trusted.` before them are facts. */
  readonly fact: string;
  readonly operator: RuleOperator;
  readonly value: string;
}

export const ruleOperators = ['=', '!=', '~', '!~', '>', '>=', '<', '<='] as const;
export type RuleOperator = (typeof ruleOperators)[number];

export interface EditableRule {
  readonly match: 'all' | 'any';
  readonly terms: readonly RuleTerm[];
  readonly pins: readonly string[];
}

const noRule: EditableRule = { match: 'all', terms: [], pins: [] };

/** @returns `undefined` for a rule that is nested deeper than the editor can show */
export function decodeRule(rule: unknown): EditableRule | undefined {
  if (rule === undefined || rule === null) return noRule;
  const parts = partsOf(rule);
  const pins = parts.flatMap(pinOf);
  const others = parts.filter((part) => pinOf(part).length === 0);
  const [only] = others;
  const isNested = others.length === 1 && Array.isArray(only) && (only[0] === 'and' || only[0] === 'or');
  const match = isNested && only[0] === 'and' ? 'all' : others.length > 1 || isNested ? 'any' : 'all';
  const terms = (isNested ? (only as readonly unknown[]).slice(1) : others).map(decodeTerm);
  if (terms.includes(undefined)) return undefined;
  return { match, terms: terms.flatMap((term) => (term === undefined ? [] : [term])), pins };
}

/** @returns `null` for a rule that matches nothing */
export function encodeRule({ match, pins, terms }: EditableRule): unknown {
  const pinned = pins.map((name) => ['=', 'name', name]);
  const compared = terms.length === 0 ? [] : [[match === 'all' ? 'and' : 'or', ...terms.map(encodeTerm)]];
  if (pinned.length === 0) return compared[0] ?? null;
  return ['or', ...compared, ...pinned];
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

/** Facts are what nodes say of themselves; only certificates prove something. */
export function isClaim({ fact }: RuleTerm): boolean {
  return !fact.startsWith('trusted.');
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

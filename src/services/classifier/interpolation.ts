/**
 * Facts in the values that groups give.
 *
 * `$NAME` is a fact. `${NAME[INDEX]...}` is a fact or something within it, and `${trusted[INDEX]...}` the same of trusted facts.
 * `\$` is a dollar sign; of several backslashes before a dollar sign each two are one.
 *
 * @see PE, "Tips for specifying parameter and variable values"
 */

import type { Json, JsonObject } from '../../lib/json.ts';
import type { Steps } from './classify.ts';
import type { ClassifiedNode } from './condition.ts';
import { isObject } from './merging.ts';

/** An index without quotes is a name or a decimal number. */
const index = String.raw`\[\s*(?:\d+|[A-Za-z_][\w.:-]*|'[^']*'|"[^"]*")\s*\]`;
const reference = String.raw`\$(?:\{\s*\$?(?<expression>[a-z0-9_]\w*)(?<indices>(?:${index})*)\s*\}|\{[^}]*\}|(?<variable>[a-z_]\w*))?`;
const whole = new RegExp(`^${reference}$`);
const references = new RegExp(String.raw`(?<backslashes>\\*)${reference}`, 'g');
const indices = new RegExp(index, 'g');

type Values = Pick<NonNullable<Steps['final']>, 'classes' | 'configData' | 'variables'>;

/** What groups give a node, with the facts of this node. */
export function withFacts(steps: Steps, node: ClassifiedNode): Steps {
  const { final } = steps;
  if (final === undefined) return steps;
  const { classes, configData, variables } = final;
  const values = interpolate({ classes, configData, variables } as unknown as JsonObject, node);
  return { ...steps, final: { ...final, ...(values as unknown as Values) } };
}

/** Texts within a value, but not the names of members. */
export function interpolate(value: Json, node: ClassifiedNode): Json {
  if (typeof value === 'string') return value.includes('$') ? interpolateText(value, node) : value;
  if (Array.isArray(value)) return value.map((item) => interpolate(item, node));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, interpolate(item, node)]));
}

/** A text that is one reference and nothing else becomes the value as it is; within a text it is written out. */
function interpolateText(text: string, node: ClassifiedNode): Json {
  const only = whole.exec(text)?.groups;
  if (only !== undefined) return valueOf(only, node) ?? absent(only, text);
  return text.replace(references, (written: string, ...rest: readonly unknown[]) => {
    const groups = rest.at(-1) as Groups;
    const backslashes = groups['backslashes'] ?? '';
    const kept = backslashes.slice(0, backslashes.length / 2);
    const dollar = written.slice(backslashes.length);
    if (backslashes.length % 2 === 1) return kept + dollar;
    return kept + render(valueOf(groups, node) ?? absent(groups, dollar));
  });
}

/** What a match of `reference` has. */
type Groups = Readonly<Record<string, string | undefined>>;

/** Hashes of passwords look like `$NAME`: without such a fact the text stays. In braces, facts are meant. */
function absent({ expression }: Groups, text: string): Json {
  return expression === undefined ? text : null;
}

/** @returns `undefined` for a fact that the node does not have, and for what is no reference */
function valueOf(
  { expression, indices: steps = '', variable }: Groups,
  node: ClassifiedNode,
): Json | undefined {
  const { fact: facts, trusted } = node;
  if (variable !== undefined) return member(facts, variable);
  if (expression === undefined) return undefined;
  let value = expression === 'trusted' ? trusted : member(facts, expression);
  for (const [step] of steps.matchAll(indices)) value = within(value, step.slice(1, -1).trim());
  return value;
}

/** @param step - as it is written: a number counts items, characters, or the members of an object */
function within(value: Json | undefined, step: string): Json | undefined {
  if (/^\d+$/.test(step)) {
    const position = Number(step);
    if (typeof value === 'string') return value[position];
    if (Array.isArray(value)) return (value as readonly Json[])[position];
    return isObject(value) ? (Object.values(value)[position] as Json | undefined) : undefined;
  }
  return isObject(value) ? member(value as JsonObject, step.replace(/^(['"])(.*)\1$/s, '$2')) : undefined;
}

function member(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** As the reference shows it: `{"count" => 4,"physicalcount" => 1}`. */
function render(value: Json): string {
  if (value === null) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(renderWithin).join(',')}]`;
  const members = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)} => ${renderWithin(item as Json)}`,
  );
  return `{${members.join(',')}}`;
}

function renderWithin(value: Json): string {
  if (value === null) return 'undef';
  return typeof value === 'string' ? JSON.stringify(value) : render(value);
}

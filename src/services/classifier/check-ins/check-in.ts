/** One classification of a node: when, for which Puppet run, and why the node is in its groups. */

import type { Json } from '../../../lib/json.ts';
import { explainMatches } from '../classify.ts';
import type { ClassifiedNode, ExplainedCondition } from '../condition.ts';
import type { Hierarchy } from '../hierarchy.ts';

export interface CheckIn {
  readonly certname: string;
  readonly time: Date;
  /** Of the Puppet run; absent where a client asked without one. */
  readonly transactionUuid: string | undefined;
  /** Group id -> explained condition, as JSON. */
  readonly explanation: string;
}

/** Who is told of classifications. */
export interface CheckInSink {
  /** Never fails because of a rule or a fact. */
  note(hierarchy: Hierarchy, node: ClassifiedNode, transactionUuid: string | undefined): void;
}

/** Thousands of pins are one `or` with as many conditions. */
const mostAlternatives = 100;
/** Of a value within an explanation, in characters of JSON. */
const longestValue = 1000;
/** Of all groups of a node, in characters of JSON. */
const longestExplanation = 128 * 1024;

export function checkInOf(
  hierarchy: Hierarchy,
  node: ClassifiedNode,
  { time, transactionUuid }: Pick<CheckIn, 'time' | 'transactionUuid'>,
): CheckIn {
  let left = longestExplanation;
  const explained = Object.entries(explainMatches(hierarchy, node)).map(([id, condition]) => {
    const text = JSON.stringify(shortened(condition));
    const isTooLong = text.length > left;
    if (!isTooLong) left -= text.length;
    return `${JSON.stringify(id)}:${isTooLong ? JSON.stringify({ value: condition.value, form: [] }) : text}`;
  });
  return { certname: node.name, time, transactionUuid, explanation: `{${explained.join(',')}}` };
}

/** Without the alternatives that were not met where there are many, and without large values. */
function shortened({ form, value }: ExplainedCondition): ExplainedCondition {
  const [operator, ...rest] = form;
  if (operator === 'and' || operator === 'or' || operator === 'not') {
    const inner = rest as readonly ExplainedCondition[];
    const hasMany = operator === 'or' && inner.length > mostAlternatives;
    const kept = hasMany ? inner.filter((each) => each.value) : inner;
    return { value, form: [operator, ...kept.map(shortened)] };
  }
  const [found, target] = rest;
  const { path, value: read } = found as { readonly path: unknown; readonly value: Json };
  return { value, form: [operator, { path, value: shortenedValue(read) }, target] };
}

function shortenedValue(value: Json): Json {
  if (typeof value === 'string') return value.slice(0, longestValue);
  return JSON.stringify(value).length > longestValue ? null : value;
}

/** The value of a plan as JSON: what a plan job shows as its result. */

import type { Json } from '../../lib/json.ts';
import { ErrorValue, isArray, PuppetHash, plainText, type Value } from '../pcore/index.ts';
import { jsonOfData } from './plan-data.ts';
import { ResourceInstanceValue } from './values/resource-instance-value.ts';
import { ResultSetValue } from './values/result-set-value.ts';
import { ResultValue } from './values/result-value.ts';

/** Sensitive values become the text that stands for them. */
export function jsonOfResult(value: Value): Json {
  if (value instanceof ErrorValue) return jsonOfError(value);
  if (value instanceof ResultValue) return jsonOfData(value.toData());
  if (value instanceof ResultSetValue) return value.toData().map(jsonOfData);
  if (value instanceof ResourceInstanceValue) return jsonOfData(value.toData());
  if (isArray(value)) return value.map(jsonOfResult);
  if (value instanceof PuppetHash)
    return Object.fromEntries([...value].map(([key, item]) => [plainText(key), jsonOfResult(item)]));
  return jsonOfData(value);
}

function jsonOfError(error: ErrorValue): Json {
  const part = (name: string): Value => error.attribute(name) ?? null;
  const code = part('issue_code');
  return {
    kind: jsonOfResult(part('kind')),
    msg: jsonOfResult(part('msg')),
    details: jsonOfResult(part('details') ?? new PuppetHash()),
    ...(code === null ? {} : { issue_code: jsonOfResult(code) }),
  };
}

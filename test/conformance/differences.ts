/** How what was recorded and what was found differ, in words. */

import { compact, type ExactJson, isList, isObject } from '../support/exact-json.ts';

export function* differences(expected: ExactJson, actual: ExactJson): Generator<string, void, undefined> {
  if (!isObject(expected) || !isObject(actual)) return;
  if (actual['crash'] !== undefined) {
    yield `crash: ${String(actual['crash'])}\n      expected ${short(expected)}`;
    return;
  }
  if (expected['error'] !== undefined || actual['error'] !== undefined) {
    yield* errorDifferences(expected, actual);
    return;
  }
  for (const key of ['value', 'string', 'type', 'logs', 'classes', 'main_tags', 'edges', 'resources']) {
    const isUnordered = key === 'classes' || key === 'edges';
    const wanted = isUnordered ? sorted(expected[key]) : expected[key];
    const found = isUnordered ? sorted(actual[key]) : actual[key];
    if (compact(wanted) !== compact(found))
      yield `${key}: expected ${short(wanted)}\n      found ${short(found)}`;
  }
}

function* errorDifferences(
  expected: { readonly [key: string]: ExactJson },
  actual: { readonly [key: string]: ExactJson },
): Iterable<string> {
  const wanted = expected['error'];
  const found = actual['error'];
  if (!isObject(wanted) || !isObject(found)) {
    const what = isObject(wanted) ? `error ${short(wanted['message'])}` : short(expected);
    const got = isObject(found) ? `error ${short(found['full'])}` : short(actual);
    yield `expected ${what}\n      found ${got}`;
    return;
  }
  if (wanted['any_message'] === true) return;
  for (const key of ['message', 'file', 'line', 'column']) {
    if (compact(wanted[key]) === compact(found[key])) continue;
    yield `error ${key}: expected ${short(wanted[key])}\n      found ${short(found[key])}`;
  }
}

function sorted(json: ExactJson | undefined): ExactJson | undefined {
  return isList(json) ? json.map(String).toSorted() : json;
}

function short(json: ExactJson | undefined): string {
  const text = compact(json);
  return text.length > 1000 ? `${text.slice(0, 1000)}...` : text;
}

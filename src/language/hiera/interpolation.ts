/** `%{...}` in data and in `hiera.yaml`. */

import { ByteString, isArray, joinTexts, PuppetHash, plainText, textOf, type Value } from '../pcore/index.ts';
import { LookupArgumentError, LookupError } from './lookup-error.ts';
import { LookupKey, splitKey, subLookup } from './lookup-key.ts';
import type { LookupRun } from './lookup-run.ts';

const EXPRESSION = /%\{([^}]*)\}/g;
const EMPTY: ReadonlySet<string> = new Set(['', '::', '""', "''", '"::"', "'::'"]);
const METHOD = /^(\w+)\((?:"([^"]+)"|'([^']+)')\)$/m;

/** Variables that are never undefined, but may have no value. */
const ALWAYS_THERE = /^(?:module_name|caller_module_name|0|[1-9][0-9]*)$/;

/** Looks up a key for `%{lookup('key')}`. */
export type NestedLookup = (run: LookupRun, key: string) => Value;

/** What may stand in an expression: variables only in `hiera.yaml`, methods as well in data. */
export type InterpolationRules =
  | { readonly methods: false }
  | { readonly methods: true; readonly lookup: NestedLookup };

export const VARIABLES_ONLY: InterpolationRules = { methods: false };

/** True when `value` or something in it has an expression: most data has none, and is used as it is. */
export function needsInterpolation(value: Value): boolean {
  if (typeof value === 'string') return value.includes('%{');
  if (value instanceof ByteString) return value.text.includes('%{');
  if (isArray(value)) return value.some(needsInterpolation);
  if (!(value instanceof PuppetHash)) return false;
  for (const [key, item] of value) if (needsInterpolation(key) || needsInterpolation(item)) return true;
  return false;
}

/** The value with all expressions replaced, those in keys of hashes included. */
export function interpolate(value: Value, run: LookupRun, rules: InterpolationRules): Value {
  if (typeof value === 'string') return value.includes('%{') ? interpolateString(value, run, rules) : value;
  if (value instanceof ByteString)
    return value.text.includes('%{') ? interpolateString(value, run, rules) : value;
  if (isArray(value)) return value.map((item) => interpolate(item, run, rules));
  if (!(value instanceof PuppetHash)) return value;
  const result = new PuppetHash();
  for (const [key, item] of value) result.set(interpolate(key, run, rules), interpolate(item, run, rules));
  return result;
}

/** For paths and the like, which are text. @throws PuppetError for bytes that are not UTF-8 */
export function interpolateText(text: string, run: LookupRun): string {
  const value = interpolate(text, run, VARIABLES_ONLY);
  return textOf(value) ?? plainText(value);
}

/** The value of a variable with dots: `facts.os.family`; `null` when it is not there. */
export function scopeLookup(key: string, run: LookupRun, subject: string): Value {
  const [root = '', ...segments] = splitKey(
    key,
    (problem) => new LookupError(`${problem} in string: ${subject}`),
  );
  const rootKey = String(root);
  let value: Value = run.within({ kind: 'scope', name: 'Global Scope' }, () => findVariable(rootKey, run));
  if (value !== null && segments.length > 0) value = subLookup(key, segments, value, run.trace) ?? null;
  if (value !== null && key.startsWith('::') && run.interpolations?.has(key) === false) {
    run.interpolations.set(key, { key, rootKey, segments, value });
  }
  return value;
}

/** Bytes that are no text stay what they are, in the string and in what is put into it. */
function interpolateString(given: string | ByteString, run: LookupRun, rules: InterpolationRules): Value {
  const subject = typeof given === 'string' ? given : given.text;
  const piece = (start: number, end?: number): string | ByteString => {
    const text = subject.slice(start, end);
    return typeof given === 'string' ? text : new ByteString(text);
  };
  return run.within({ kind: 'interpolation', expression: String(given) }, () => {
    let result = piece(0, 0);
    let end = 0;
    for (const match of subject.matchAll(EXPRESSION)) {
      const expression = (match[1] ?? '').trim();
      result = joinTexts(result, piece(end, match.index));
      end = match.index + match[0].length;
      if (EMPTY.has(expression)) continue;
      const { method, key } = parseExpression(expression, rules);
      if (method === 'alias' && subject !== match[0]) throw aliasNotAlone();
      const value = callMethod(method, key, { run, rules, subject });
      if (method === 'alias') return value;
      const name = method === 'scope' ? `scope:${key}` : key;
      const found = run.check(name, () => interpolate(value, run, rules));
      result = joinTexts(result, found instanceof ByteString ? found : plainText(found));
    }
    return joinTexts(result, piece(end));
  });
}

function parseExpression(
  expression: string,
  rules: InterpolationRules,
): { readonly method: string; readonly key: string } {
  const match = METHOD.exec(expression);
  if (match === null) return { method: 'scope', key: expression };
  if (!rules.methods) {
    throw new LookupError('Interpolation using method syntax is not allowed in this context', {
      issue: 'hiera_interpolation_method_syntax_not_allowed',
    });
  }
  return { method: match[1] ?? '', key: match[2] ?? match[3] ?? '' };
}

function callMethod(
  method: string,
  key: string,
  context: { readonly run: LookupRun; readonly rules: InterpolationRules; readonly subject: string },
): Value {
  const { run, rules, subject } = context;
  if (method === 'scope') return scopeLookup(key, run, subject);
  if (method === 'literal') return key;
  if (rules.methods && (method === 'lookup' || method === 'hiera' || method === 'alias')) {
    return lookupNested(key, run, rules.lookup);
  }
  throw new LookupError(`Unknown interpolation method '${method}'`, {
    issue: 'hiera_interpolation_unknown_interpolation_method',
  });
}

function lookupNested(key: string, run: LookupRun, lookup: NestedLookup): Value {
  const nested = run.derive({});
  return nested.lookup(new LookupKey(key), undefined, () => lookup(nested, key));
}

function findVariable(rootKey: string, run: LookupRun): Value {
  const overridden = run.overrides?.get(rootKey);
  if (overridden !== undefined) {
    run.trace?.found(rootKey, overridden, 'overrides');
    return overridden;
  }
  const value = run.scope.findVariable(rootKey);
  if (value !== undefined) {
    run.trace?.found(rootKey, value);
    return value;
  }
  reportUndefined(rootKey, run);
  const fallback = run.defaults?.get(rootKey);
  if (fallback === undefined) return null;
  run.trace?.found(rootKey, fallback, 'defaults');
  return fallback;
}

/** @throws LookupArgumentError when `strict` says so */
function reportUndefined(name: string, run: LookupRun): void {
  if (ALWAYS_THERE.test(name) || run.strict === 'off') return;
  const reason = run.scope.whyMissing?.(name) ?? '';
  const bare = name.replace(/^::/, '');
  const shown = name.includes('::') && reason === '' ? `::${bare}` : bare;
  if (run.strict === 'error' && !run.toleratesUndefined)
    throw new LookupArgumentError(`Undefined variable '${shown}'; ${reason}`);
  const message =
    run.toleratesUndefined && run.strict === 'error'
      ? tolerated(shown, reason)
      : `Undefined variable '${shown}'; ${reason}`;
  const text = `${message}\n   (file & line not available)`;
  run.invocation.warnOnce(`Variable: ${shown}`, text, 'undefined_variables');
}

function tolerated(name: string, reason: string): string {
  return `Interpolation failed with '${name}', but compilation continuing; ${reason}`;
}

function aliasNotAlone(): LookupError {
  return new LookupError(
    "'alias' interpolation is only permitted if the expression is equal to the entire string",
    { issue: 'hiera_interpolation_alias_not_entire_string' },
  );
}

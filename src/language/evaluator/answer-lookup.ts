/** Lookups that people ask for: what data gives for a node, and why. */

import type { Json } from '../../lib/json.ts';
import { Explainer, LookupError } from '../hiera/index.ts';
import type { Value } from '../pcore/index.ts';
import { compileWith } from './compile-catalog.ts';
import type { CompileRequest } from './compile-request.ts';
import { fromJson } from './json-values.ts';

export interface LookupQuestion {
  /** Tried in turn. */
  readonly names: readonly string[];
  /** A strategy, or a hash of `strategy` and its options; absent: what the data's own options say. */
  readonly merge?: Json;
  readonly defaultValue?: string;
  /** The text of a data type that the value must be of. */
  readonly type?: string;
  /** What to tell about: how the value came about, which lookup options there are, or both. */
  readonly explain?: 'data' | 'only-options' | 'options';
}

export interface LookupAnswer {
  /** `undefined` when there is none. */
  readonly value: Value | undefined;
  /** Why there is no value. */
  readonly failure: string | undefined;
  /** Lines of text; empty when it was not asked for. */
  readonly explanation: string;
}

/**
 * Looks up data as a node would.
 *
 * @param request - compiled first: what its code defines is visible to the hierarchy
 * @throws CompileError when it does not compile, PuppetError when the value is not of the type
 */
export function answerLookup(request: CompileRequest, question: LookupQuestion): LookupAnswer {
  const { lookups } = compileWith(request).compiler;
  const { names, merge, defaultValue, type, explain } = question;
  const explainer = explain === undefined ? undefined : new Explainer(explain);
  const wanted = {
    names,
    ...(merge === undefined ? {} : { merge: fromJson(merge) }),
    ...(defaultValue === undefined ? {} : { defaultValue }),
    ...(type === undefined ? {} : { valueType: lookups.parseType(type) }),
  };
  try {
    const value = lookups.ask(wanted, explainer);
    return { value, failure: undefined, explanation: explainer?.render() ?? '' };
  } catch (error) {
    if (!(error instanceof LookupError)) throw error;
    explainer?.text(error.message);
    return { value: undefined, failure: error.message, explanation: explainer?.render() ?? '' };
  }
}

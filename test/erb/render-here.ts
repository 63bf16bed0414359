/** Templates rendered without Ruby (layer L1), with the answers that Puppet got from functions. */

import { fromJson, parseExactJson } from '../../src/language/evaluator/json-values.ts';
import { fault, isArray, type Value } from '../../src/language/pcore/index.ts';
import { type ErbContext, ErbTemplates, giveUp, type Rendering } from '../../src/language/ruby/index.ts';
import { PuppetError } from '../../src/language/syntax/index.ts';
import type { Json } from '../../src/lib/json.ts';
import { prismFiles, RubyParser } from '../../src/lib/ruby-syntax/index.ts';
import type { Answer, RecordedCall, Request } from './puppet-renderings.ts';

/** @returns a function that renders one template */
export function rendererHere(): (request: Request, answer: Answer) => Rendering {
  const parser = new RubyParser(prismFiles());
  const templates = new ErbTemplates((source) => parser.parse(source));
  return ({ file, text, variables }, { calls = [] }) => {
    try {
      return templates.render(text, contextFor(file, variables, calls));
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error;
      return { kind: 'failed', message: error.message, line: 0, hadEffects: false };
    }
  };
}

function contextFor(
  file: string,
  variables: Readonly<Record<string, Json>>,
  calls: readonly RecordedCall[],
): ErbContext {
  const known = new Map(Object.entries(variables).map(([name, json]) => [name, valueOf(json)] as const));
  const find = (name: string): Value | undefined => known.get(name.replace(/^::/, '')) ?? undefined;
  const queue = [...calls];
  const call = (name: string): Value => {
    const next = queue.shift();
    if (next === undefined || next[0] !== name)
      throw fault(`here ${name} is called, by Puppet ${next?.[0] ?? 'nothing'}`);
    if (next[2] !== null) throw fault(next[2]);
    const results = fromJson(parseExactJson(next[1] ?? '[null]'));
    return isArray(results) ? (results[0] ?? null) : null;
  };
  return {
    file,
    instanceVariable: find,
    lookupVariable: (name) => find(name) ?? null,
    hasVariable: (name) => find(name) !== undefined,
    variables: () => [...known].filter(([name, value]) => value !== null && !name.includes('::')),
    classes: ['settings'],
    tags: [],
    isFunctionKnown: () => true,
    callFunction: (name) => call(name),
    callLegacyFunction: (name) => call(`function_${name}`),
    callRevocably: () => giveUp('a call that cannot be taken back'),
    hasFallback: false,
    isRepeatable: () => false,
  };
}

export function valueOf(json: Json): Value {
  return fromJson(parseExactJson(JSON.stringify(json)));
}

/** Templates in ERB: each is sent to Ruby once, with the variables that it mentions at each rendering. */

import type { RubyScope } from '../../../language/evaluator/index.ts';
import { PuppetHash } from '../../../language/pcore/index.ts';

export interface KnownTemplate {
  readonly id: number;
  /** `undefined` when the text may look at variables that it does not name. */
  readonly variables: readonly string[] | undefined;
  /** It may change the lists and hashes that it is given. */
  readonly mayChangeValues: boolean;
}

/** Whatever can get at instance variables without naming them. */
const REFLECTION = /\binstance_variable|\bbinding\b|\beval\b|\binstance_eval\b|\bERB\.new\b/;
/** Methods that change what they are called on; better one too many. */
const MUTATION =
  /<<(?![-~'"A-Z])|\]\s*=(?![=~>])|\w!(?!=)|\.(?:push|append|unshift|prepend|concat|insert|delete\w*|clear|shift|pop|replace|store|update|keep_if|fill)\b/;
const INSTANCE_VARIABLE = /@([A-Za-z_]\w*)/g;

export class KnownTemplates {
  private readonly known = new Map<string, KnownTemplate>();
  private last = 0;

  get size(): number {
    return this.known.size;
  }

  /** Texts are compared, so that a template which is made anew each time is known all the same. */
  template(file: string, text: string): KnownTemplate {
    const key = `${file}\0${text}`;
    let template = this.known.get(key);
    if (template === undefined) {
      this.last += 1;
      template = { id: this.last, variables: variablesOf(text), mayChangeValues: MUTATION.test(text) };
      this.known.set(key, template);
    }
    return template;
  }
}

function variablesOf(text: string): readonly string[] | undefined {
  if (REFLECTION.test(text)) return undefined;
  return [...new Set(Array.from(text.matchAll(INSTANCE_VARIABLE), ([, name = '']) => name))];
}

/** What a template is given; undef is not set. */
export function templateVariables(scope: RubyScope, { variables }: KnownTemplate): PuppetHash {
  const hash = new PuppetHash();
  if (variables === undefined) {
    for (const [name, value] of scope.variables()) {
      if (value === null) hash.delete(name);
      else hash.set(name, value);
    }
    return hash;
  }
  for (const name of variables) {
    const { value } = scope.variable(name);
    if (value !== undefined && value !== null) hash.set(name, value);
  }
  return hash;
}

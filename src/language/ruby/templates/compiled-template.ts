/** A template, compiled once and rendered any number of times. */

import type { RubyProgram } from '../../../lib/ruby-syntax/index.ts';
import { PuppetError } from '../../syntax/index.ts';
import { DeferredEffects, type Effects, NO_EFFECTS } from '../effects.ts';
import type { ErbContext } from '../erb-context.ts';
import { Lowering } from '../lower/lowering.ts';
import { definedMethods } from '../lower/methods.ts';
import { ownedStrings } from '../lower/string-ownership.ts';
import { template } from '../profiles/template.ts';
import { type Code, Run } from '../run.ts';
import { GiveUp, giveUp, RubyFailure } from '../signals.ts';
import { erbProgram } from './erb-source.ts';

export type ParseRuby = (source: string) => RubyProgram;

/** What came of a rendering. */
export type Rendering =
  | { readonly kind: 'rendered'; readonly text: string }
  /** Something is not modelled. With effects it must not be tried again. */
  | { readonly kind: 'given-up'; readonly reason: string; readonly hadEffects: boolean }
  /** An exception, by its message; the line is that of the template. */
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly line: number;
      readonly hadEffects: boolean;
    };

export type CompiledTemplate =
  | { readonly kind: 'compiled'; readonly render: (context: ErbContext, effects?: Effects) => Rendering }
  | { readonly kind: 'given-up'; readonly reason: string };

/** Never throws: a template that is not modelled, or that is no valid Ruby, is given up. */
export function compileTemplate(text: string, parse: ParseRuby): CompiledTemplate {
  try {
    const { source, code, definesMethods } = lowered(text, parse);
    return {
      kind: 'compiled',
      // There, the methods are known to the templates that follow as well.
      render: (context, effects) =>
        definesMethods && context.hasFallback
          ? { kind: 'given-up', reason: 'methods that other templates may call', hadEffects: false }
          : render(code, source, context, effects),
    };
  } catch (error) {
    if (error instanceof GiveUp) return { kind: 'given-up', reason: error.reason };
    throw error;
  }
}

/** Comments that tell Ruby in which encoding the template is, or that change what literals are. */
const MAGIC_COMMENT = /<%#[^%]*(?:coding\s*[=:]|frozen[-_]string[-_]literal)/;

interface LoweredTemplate {
  readonly source: string;
  readonly code: Code;
  readonly definesMethods: boolean;
}

function lowered(text: string, parse: ParseRuby): LoweredTemplate {
  if (MAGIC_COMMENT.test(text)) giveUp('a magic comment');
  if (text.includes('\ufffd')) giveUp('bytes that are no characters');
  const { source, texts } = erbProgram(text);
  const { error, root } = parse(source);
  if (error !== undefined) giveUp(`a syntax error: ${error.message}`);
  // Most templates have none of these: then the tree need not be walked.
  const methods = source.includes('def ') ? definedMethods(root) : NONE;
  const lowering = new Lowering({
    texts,
    ownedStrings: /[^.]<</.test(source) ? ownedStrings(root) : NONE,
    definedMethods: methods,
    profile: template,
  });
  return { source, code: lowering.lower(root), definesMethods: methods.size > 0 };
}

const NONE: ReadonlySet<string> = new Set();

/** @param given - where a template is a part of another one */
function render(code: Code, source: string, context: ErbContext, given: Effects | undefined): Rendering {
  // What a template declares may fail, and should then say in which line.
  const own = given === undefined && context.hasFallback ? new DeferredEffects('message') : undefined;
  const run = new Run(context, { effects: given ?? own ?? NO_EFFECTS });
  try {
    code(run);
    own?.perform();
    return { kind: 'rendered', text: run.out };
  } catch (error) {
    own?.revoke();
    const { hadEffects } = run;
    if (error instanceof GiveUp) return { kind: 'given-up', reason: error.reason, hadEffects };
    if (error instanceof RangeError) return { kind: 'given-up', reason: error.message, hadEffects };
    const line = lineAt(source, run.offset);
    // Functions of the language fail with errors of the language.
    if (error instanceof RubyFailure || error instanceof PuppetError)
      return { kind: 'failed', message: error.message, line, hadEffects };
    throw error;
  }
}

/** @param offset - in bytes */
export function lineAt(source: string, offset: number): number {
  const before = new TextEncoder().encode(source).subarray(0, offset);
  return before.reduce((line, byte) => (byte === 0x0a ? line + 1 : line), 1);
}

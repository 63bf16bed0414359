/** Templates in ERB: rendered by the interpreter where it knows all that they do, else by Ruby. */

import { failure } from '../../catalog/index.ts';
import type { ErbSource } from '../../functions/index.ts';
import { giveUp, type Rendering } from '../../ruby/index.ts';
import type { CallSite } from './call-site.ts';
import { InterpretedPlace } from './interpreted-place.ts';
import { CallFromSite } from './ruby-caller.ts';

/** @throws PuppetError in Ruby's words for what is wrong with the template, or when it needs Ruby and there is none */
export function evaluateErb(source: ErbSource, site: CallSite): string {
  const { erb, ruby } = site.frame.scope.compiler.request.termini;
  const caller = new CallFromSite(site);
  const rendering = erb?.render(
    source.text,
    new InterpretedPlace(caller, ruby, source.name === '' ? undefined : source.file),
  );
  if (rendering?.kind === 'rendered') return rendering.text;
  // Ruby begins with the template that this one is a part of.
  if (erb?.isWithin === true) return giveUp('a template within');
  // What a template has done must not be done twice.
  const isOpen = rendering === undefined || !rendering.hadEffects;
  if (ruby !== undefined && isOpen) return ruby.evaluateErb(source, caller);
  throw failure(messageFor(source, rendering));
}

function messageFor({ file, name }: ErbSource, rendering: Rendering | undefined): string {
  if (rendering?.kind === 'failed') {
    const { line, message } = rendering;
    if (name === '') return `Failed to parse inline template: ${message}`;
    return `Failed to parse template ${name}:\n  Filepath: ${file}\n  Line: ${line}\n  Detail: ${message}\n`;
  }
  const what = name === '' ? 'An inline template' : `The template ${file}`;
  if (rendering?.kind !== 'given-up') return `${what} is written in Ruby (ERB), and Ruby is not available`;
  return `${what} needs Ruby, which is not available: it uses ${rendering.reason}`;
}

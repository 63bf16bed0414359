/** A program that is run once: a file that declares something. */

import type { RubyProgram } from '../../lib/ruby-syntax/index.ts';
import { NO_EFFECTS } from './effects.ts';
import { Lowering } from './lower/lowering.ts';
import { definedMethods } from './lower/methods.ts';
import { ownedStrings } from './lower/string-ownership.ts';
import { nowhere } from './nowhere.ts';
import type { Profile } from './profiles/profile.ts';
import { Run } from './run.ts';
import { GiveUp, RubyFailure } from './signals.ts';

/** The offset is where the last call began, in bytes. */
export type ProgramEnd =
  | { readonly kind: 'finished' }
  | { readonly kind: 'given-up'; readonly reason: string; readonly offset: number }
  /** An exception, by its message. */
  | { readonly kind: 'failed'; readonly message: string; readonly offset: number };

/** @param text - of the program */
export function runProgram({ root }: RubyProgram, text: string, profile: Profile): ProgramEnd {
  const run = new Run(nowhere, { effects: NO_EFFECTS });
  try {
    const lowering = new Lowering({
      texts: [],
      ownedStrings: ownedStrings(root, text),
      definedMethods: definedMethods(root),
      profile,
    });
    lowering.lower(root)(run);
    return { kind: 'finished' };
  } catch (error) {
    const { offset } = run;
    if (error instanceof GiveUp) return { kind: 'given-up', reason: error.reason, offset };
    if (error instanceof RubyFailure) return { kind: 'failed', message: error.message, offset };
    throw error;
  }
}

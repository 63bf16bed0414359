/** What an action of `bunraku ca` is. */

import type { CommandIo } from '../command.ts';
import type { CaFlags, FlagKind } from './arguments.ts';

export interface CaAction {
  /** The word that calls it. */
  readonly name: string;
  readonly summary: string;
  /** What `--help` prints, with a newline at the end. */
  readonly usage: string;
  /** Its flags beside `--help`. */
  readonly flags: Readonly<Record<string, FlagKind>>;
  /** What is wrong with the flags taken together. */
  problems(flags: CaFlags): readonly string[];
  /** @returns the exit code: 0, 1, or 24 for what cannot be done in this state, as `puppetserver ca` has it */
  run(flags: CaFlags, io: CommandIo): Promise<number>;
}

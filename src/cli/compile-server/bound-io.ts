/** Compile servers that a primary has started on its own machine: they do not outlive it. */

import { boundSignal } from '../../platform/processes/index.ts';
import { processEnvironment } from '../../platform/settings/index.ts';
import type { CommandIo } from '../command.ts';

/** Also ends the command when the process that this one is bound to does not come back. */
export function boundIo(io: CommandIo): CommandIo {
  const bound = boundSignal(processEnvironment());
  return bound === undefined ? io : { ...io, signal: AbortSignal.any([io.signal, bound]) };
}

import type { CallContext } from '../../functions/index.ts';
import type { PuppetHash } from '../../pcore/index.ts';
import type { ActionOptions } from '../run/plan-host.ts';
import type { TargetValue } from '../values/target-value.ts';
import type { Undertaking } from './carry-out.ts';
import { atLine } from './module-path.ts';
import { jsonParameters, type TaskSignature } from './task-parameters.ts';

/** A target and the parameters that it gets; they fit the task. */
export interface TaskTarget {
  readonly target: TargetValue;
  readonly parameters: PuppetHash;
}

/** @throws Error at the call when the task cannot do without changes, which is asked for */
export function taskUndertaking(
  task: TaskSignature,
  given: readonly TaskTarget[],
  options: ActionOptions,
  { position }: Pick<CallContext, 'position'>,
): Undertaking {
  if (options.noop === true && !task.supportsNoop) throw atLine('Task does not support noop', position);
  // All targets may share one hash.
  const converted = new Map<PuppetHash, ReturnType<typeof jsonParameters>>();
  for (const { parameters } of given)
    if (!converted.has(parameters)) converted.set(parameters, jsonParameters(task, parameters));
  const json = given.flatMap(({ parameters }) => converted.get(parameters) ?? []);
  return {
    action: (targets) => ({
      kind: 'task',
      task: task.name,
      parameters: json.map(({ parameters }) => parameters),
      sensitive: [...new Set(json.flatMap(({ sensitive }) => sensitive))],
      targets,
      options,
    }),
    targets: given.map(({ target }) => target),
    name: 'task',
    object: task.name,
    position,
  };
}

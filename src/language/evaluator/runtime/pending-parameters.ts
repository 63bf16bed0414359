import { UnevaluatedSignal } from './control-flow.ts';
import type { Frame } from './frame.ts';

/** Parameters of which some have no value yet, while the default of one of them is evaluated. */
export interface PendingParameters {
  /** All of the callee's, in order. */
  readonly names: readonly string[];
  /** Whose default it is. */
  readonly current: string;
  /** What messages call the callee; a class or define only knows its name when it is evaluated. */
  readonly calleeName: (frame: Frame) => string;
}

/** A parameter that has no value yet hides variables of its name elsewhere. @throws UnevaluatedSignal */
export function refuseUnevaluated(name: string, pending: PendingParameters, frame: Frame): void {
  const { calleeName, current, names } = pending;
  const index = names.indexOf(name);
  if (index === -1) return;
  const callee = calleeName(frame);
  throw new UnevaluatedSignal(
    index < names.indexOf(current)
      ? `${callee}: expects a value for parameter $${name}`
      : `${callee}: default expression for $${current} tries to illegally access not yet evaluated $${name}`,
  );
}

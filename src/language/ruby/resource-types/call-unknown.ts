/** Calls of values that are not known. */

import type { Call } from './calls.ts';
import { isInert } from './inert.ts';
import { AttributeClass, TypeClass } from './ruby-module.ts';
import { Unmodelled } from './unmodelled.ts';
import { Unknown, WrittenProc } from './values.ts';

/** Methods that run code which they get as text or by its name. */
const RUNS_CODE =
  /^((class_|module_|instance_)?(eval|exec)|__send__|public_send|send|const_set|define_\w+|instance_variable_set)$/;

/** Something unknown may do anything but to a type of which it does not know. */
export function callUnknown(what: string, call: Call): Unknown {
  const { args, block, interpreter, name } = call;
  if (RUNS_CODE.test(name)) throw new Unmodelled(`${what}.${name}`);
  if (args.some((arg) => arg instanceof TypeClass || arg instanceof AttributeClass)) {
    throw new Unmodelled(`${what}.${call.name} with the type as argument`);
  }
  if (block instanceof WrittenProc && block.body !== null && !isInert(block.body)) {
    throw new Unmodelled(`${what}.${call.name} with a block that matters`);
  }
  interpreter.unknownCalls += 1;
  interpreter.taint(args);
  return new Unknown(`${what}.${call.name}`);
}

/** The functions that asked Hiera before `lookup` did. */

import { isArray, type Value } from '../../pcore/index.ts';
import { warnDeprecated } from '../deprecation.ts';
import {
  type BuiltinFunction,
  type CallContext,
  defineFunction,
  type Lambda,
  type LookupRequest,
} from '../function.ts';

export interface HieraFunction {
  readonly name: string;
  /** `first`, `unique` or `hash`. */
  readonly merge: string;
  /** What is done with the value; it is returned as it is when absent. */
  readonly use?: (context: CallContext, key: string, value: Value) => Value;
}

interface HieraCall {
  readonly key: Value;
  /** Absent: the key must be there. */
  readonly defaultValue?: Value;
  readonly block?: Lambda | undefined;
}

/** A function with the arguments (key, default, override), of which a block replaces the default. */
export function hieraFunction(hiera: HieraFunction): BuiltinFunction {
  const answer = (context: CallContext, call: HieraCall): Value => answerCall(context, hiera, call);
  return defineFunction({
    name: hiera.name,
    dispatches: [
      {
        parameters: [{ type: 'Tuple[String, Any, Any, 1, 3]', name: 'args' }],
        call: (context, [args = null]) => {
          const [key = null, defaultValue] = isArray(args) ? args : [];
          return answer(context, defaultValue === undefined ? { key } : { key, defaultValue });
        },
      },
      {
        parameters: [{ type: 'String', name: 'key' }],
        call: (context, [key = null]) => answer(context, { key }),
      },
      {
        parameters: [
          { type: 'String', name: 'key' },
          { type: 'Any', name: 'default' },
          { type: 'Any', name: 'override', arity: 'optional' },
        ],
        call: (context, [key = null, defaultValue = null]) => answer(context, { key, defaultValue }),
      },
      {
        parameters: [{ type: 'String', name: 'key' }],
        block: { type: 'Callable[1,1]', name: 'default_block' },
        call: (context, [key = null], block) => answer(context, { key, block }),
      },
      {
        parameters: [
          { type: 'String', name: 'key' },
          { type: 'Any', name: 'override' },
        ],
        block: { type: 'Callable[1,1]', name: 'default_block' },
        call: (context, [key = null], block) => answer(context, { key, block }),
      },
    ],
  });
}

function answerCall(context: CallContext, { name, merge, use }: HieraFunction, call: HieraCall): Value {
  const key = String(call.key);
  warn(context, name);
  const request: LookupRequest = {
    names: [key],
    merge,
    isHieraFunction: true,
    ...(call.defaultValue === undefined ? {} : { defaultValue: call.defaultValue }),
    ...(call.block === undefined ? {} : { block: call.block }),
  };
  const value = context.lookup(request) ?? null;
  return use === undefined ? value : use(context, key, value);
}

function warn(context: CallContext, name: string): void {
  const { level, strict } = context.environment.config.settings;
  if (strict === 'off') return;
  const message =
    `The function '${name}' is deprecated in favor of using 'lookup'. ` +
    `See ${level.documentation.release}/deprecated_language.html`;
  warnDeprecated(context, name, message);
}

import { fault, isArray, ObjectInstance, PuppetHash, SensitiveValue, type Value } from '../../pcore/index.ts';
import type { CallContext } from '../function.ts';

/** The value with all deferred calls in it made, inner ones first. `$name` as a function is the variable, dug into. */
export function resolveDeferred(context: CallContext, value: Value): Value {
  if (value instanceof ObjectInstance)
    return value.type.name === 'Deferred' ? makeCall(context, value) : value;
  if (isArray(value)) return value.map((item) => resolveDeferred(context, item));
  if (value instanceof PuppetHash)
    return new PuppetHash([...value].map(([key, item]) => [key, resolveDeferred(context, item)] as const));
  if (value instanceof SensitiveValue) return new SensitiveValue(resolveDeferred(context, value.unwrap()));
  return value;
}

function makeCall(context: CallContext, deferred: ObjectInstance): Value {
  const name = String(deferred.attribute('name') ?? '');
  const given = deferred.attribute('arguments') ?? null;
  const args = isArray(given) ? given.map((argument) => resolveDeferred(context, argument)) : [];
  if (name.startsWith('$'))
    return context.callFunction('dig', [context.scope.find(`::${name.slice(1)}`) ?? null, ...args]);
  if (!context.isFunctionKnown(name)) throw fault(`Unknown function '${name}'`);
  return context.callFunction(name, args);
}

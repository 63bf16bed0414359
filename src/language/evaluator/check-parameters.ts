import { failure } from '../catalog/index.ts';
import { builtinFunctions, prepareFunction } from '../functions/index.ts';
import {
  AnyType,
  DeferredValue,
  describeParameters,
  type PuppetHash,
  type PuppetType,
  type StructType,
  type Value,
} from '../pcore/index.ts';

/**
 * @param parameters - one element for each parameter
 * @throws PuppetError without a position that says everything that is wrong with the parameters
 */
export function checkParameters(subject: string, parameters: StructType, given: PuppetHash): void {
  const message = describeParameters({ subject, parameters, given, typeOf: typeOfDeferred });
  if (message !== undefined) throw failure(message);
}

/** A call that the agent makes is judged by what its function returns. */
function typeOfDeferred(value: Value): PuppetType | undefined {
  if (!(value instanceof DeferredValue)) return undefined;
  const definition = builtinFunctions.get(value.name);
  const [signature] = definition === undefined ? [] : prepareFunction(definition).signatures;
  return signature?.type.returnType ?? AnyType.DEFAULT;
}

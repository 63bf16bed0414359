import { failure } from '../catalog/index.ts';
import { builtinFunctions, prepareFunction } from '../functions/index.ts';
import {
  DeferredValue,
  describeParameters,
  type PuppetHash,
  type PuppetType,
  type StructType,
  UnitType,
  type Value,
} from '../pcore/index.ts';
import type { Compiler } from './compiler.ts';

/**
 * @param parameters - one element for each parameter
 * @throws PuppetError without a position that says everything that is wrong with the parameters
 */
export function checkParameters(
  subject: string,
  parameters: StructType,
  given: PuppetHash,
  compiler: Compiler,
): void {
  const typeOf = (value: Value): PuppetType | undefined => typeOfDeferred(value, compiler);
  const message = describeParameters({ subject, parameters, given, typeOf });
  if (message !== undefined) throw failure(message);
}

/** A call that the agent makes is judged by what its function returns, if that is known. */
function typeOfDeferred(value: Value, compiler: Compiler): PuppetType | undefined {
  if (!(value instanceof DeferredValue)) return undefined;
  const definition = builtinFunctions.get(value.name);
  const signatures = definition === undefined ? [] : prepareFunction(definition).signatures;
  const signature = signatures.find((candidate) => candidate.fits(value.args ?? [], undefined));
  if (signature?.type.returnType !== undefined) return signature.type.returnType;
  const text = `Deferred function ${value.name} has no return_type, unable to guarantee value type during compilation.`;
  compiler.warnOnce(
    `${value.name}_deferred_warning`,
    `${text}\n   (file & line not available)`,
    'deprecation',
  );
  return UnitType.DEFAULT;
}

import { failure } from '../catalog/index.ts';
import { builtinFunction, prepareFunction } from '../functions/index.ts';
import {
  DeferredValue,
  describeParameters,
  inferDetailed,
  inspect,
  type PuppetHash,
  type PuppetType,
  type StructType,
  UnitType,
  type Value,
} from '../pcore/index.ts';
import { callFromNowhere } from './calls/call-from-nowhere.ts';
import { isFunctionKnown, returnTypesOf } from './calls/call-function.ts';
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
  const returnType = returnTypeOf(value, compiler);
  if (returnType !== undefined) return returnType;
  const text = `Deferred function ${value.name} has no return_type, unable to guarantee value type during compilation.`;
  compiler.warnOnce(
    `${value.name}_deferred_warning`,
    `${text}\n   (file & line not available)`,
    'deprecation',
  );
  return UnitType.DEFAULT;
}

/** @throws PuppetError in the reference's words for a call that cannot be made */
function returnTypeOf({ args, name }: DeferredValue, compiler: Compiler): PuppetType | undefined {
  const definition = builtinFunction(name, compiler.settings.level);
  if (definition !== undefined) {
    const { signatures } = prepareFunction(definition);
    const signature = args === undefined ? undefined : signatures.find((one) => one.fits(args, undefined));
    return signature === undefined ? refuseArguments(name, args) : signature.type.returnType;
  }
  const type = compiler.code.findFunction(name, undefined)?.type(compiler.topScope.frame);
  if (type !== undefined) {
    const isCallable = args !== undefined && type.isCallableWithTypes(inferDetailed(args));
    return isCallable ? type.returnType : refuseArguments(name, args);
  }
  if (!isFunctionKnown(name, compiler)) throw failure("undefined method `dispatcher' for NilClass:Class");
  return returnTypesOf(name, undefined, callFromNowhere(compiler))[0];
}

function refuseArguments(name: string, args: readonly Value[] | undefined): never {
  const shown = args === undefined ? '' : inspect(args);
  throw failure(`No matching arity found for ${name} with arguments ${shown}`);
}

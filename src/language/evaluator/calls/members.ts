/** Methods and attributes of objects: `$object.name`. */

import { failure } from '../../catalog/index.ts';
import { argumentTypes, type Lambda } from '../../functions/index.ts';
import { LookupContext } from '../../hiera/index.ts';
import {
  CallableType,
  describeSignatures,
  fault,
  invokeMember,
  ObjectInstance,
  type ObjectMethod,
  type Value,
} from '../../pcore/index.ts';
import type { RubyCaller } from '../ruby-host.ts';
import type { CallSite } from './call-site.ts';

export type Member = (args: readonly Value[], block: Lambda | undefined, site: CallSite) => Value;

/**
 * The member of that name; `undefined` when the receiver has none, so that a function is meant.
 *
 * @param callerOf - who calls into Ruby from a place
 */
export function findMember(
  receiver: Value,
  name: string,
  site: CallSite,
  callerOf: (site: CallSite) => RubyCaller,
): Member | undefined {
  if (receiver instanceof LookupContext && LookupContext.hasMethod(name)) {
    return (args, block) => receiver.callMethod(name, args, block);
  }
  if (receiver instanceof ObjectInstance) {
    const method = receiver.method(name);
    if (method !== undefined) return called(method, receiver.type.functions.get(name));
    const inRuby = memberInRuby(receiver, name, site, callerOf);
    if (inRuby !== undefined) return inRuby;
  }
  const value = invokeMember(receiver, name);
  return value === undefined ? undefined : () => value;
}

/** A function that the object implements itself. */
function called(
  method: ObjectMethod,
  declared: { readonly label: string; readonly type: unknown } | undefined,
): Member {
  return (args, block) => {
    if (declared !== undefined) checkArguments(declared, args, block);
    return method(args, block === undefined ? undefined : (given) => block.call(given));
  };
}

/** Methods and computed attributes of types that modules define in Ruby. */
function memberInRuby(
  receiver: ObjectInstance,
  member: string,
  site: CallSite,
  callerOf: (site: CallSite) => RubyCaller,
): Member | undefined {
  const { type } = receiver;
  const method = type.functions.get(member);
  if (method === undefined && type.attributes.get(member)?.kind !== 'derived') return undefined;
  const { environment, request } = site.frame.scope.compiler;
  const file = environment.dataTypeFile(type.name);
  if (file === undefined) return undefined;
  return (args, block) => {
    if (method !== undefined) checkArguments(method, args, block);
    const host = request.termini.ruby;
    if (host?.callMember === undefined)
      throw failure(`The data type '${type.name}' is written in Ruby (${file}), and Ruby is not available`);
    return host.callMember({ receiver, file, member, args, block }, callerOf(site));
  };
}

/** @throws PuppetError for arguments that the method does not take */
function checkArguments(
  { label, type }: { readonly label: string; readonly type: unknown },
  args: readonly Value[],
  block: Lambda | undefined,
): void {
  if (!(type instanceof CallableType)) return;
  const given = argumentTypes(args, block);
  if (type.isCallableWithTypes(given)) return;
  throw fault(describeSignatures(label, [{ type, parameterNames: [] }], given), 'type_mismatch');
}

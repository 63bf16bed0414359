/** Methods and attributes of objects: `$object.name`. */

import type { Lambda } from '../../functions/index.ts';
import { LookupContext } from '../../hiera/index.ts';
import { invokeMember, type Value } from '../../pcore/index.ts';
import type { CallSite } from './call-site.ts';

export type Member = (args: readonly Value[], block: Lambda | undefined, site: CallSite) => Value;

/** The member of that name; `undefined` when the receiver has none, so that a function is meant. */
export function findMember(receiver: Value, name: string): Member | undefined {
  if (receiver instanceof LookupContext && LookupContext.hasMethod(name)) {
    return (args, block) => receiver.callMethod(name, args, block);
  }
  const value = invokeMember(receiver, name);
  return value === undefined ? undefined : () => value;
}

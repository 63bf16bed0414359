/** `Integer[1, 2]`: parameters of types. */

import { type PuppetType, parameterizeType, TypeParameterError, type Value } from '../../pcore/index.ts';
import { fail } from '../evaluation-error.ts';
import { type AccessSite, keyNode } from './access-keys.ts';

export function accessType(type: PuppetType, keys: readonly Value[], site: AccessSite): Value {
  try {
    return parameterizeType(type, keys, site.frame.scope.compiler.lookups.typeResolver);
  } catch (error) {
    if (!(error instanceof TypeParameterError)) throw error;
    const { keyIndex } = error;
    const blamed = keyIndex === undefined ? site.node : keyNode(site, keyIndex);
    return fail(error.diagnostic.code, error.diagnostic.message, blamed, site.context);
  }
}

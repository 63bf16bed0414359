import type { CompiledResource } from '../runtime/scope.ts';

const NONE: ReadonlySet<string> = new Set();

/**
 * Metaparameters that modules add to all types. The reference knows them from when it has loaded the type whose file
 * says so, in whichever compile; here those count whose types are in the catalog, so that the same code always gives the same.
 */
export function addedMetaparameters(resources: Iterable<CompiledResource>): ReadonlySet<string> {
  let added: Set<string> | undefined;
  for (const { typeInfo } of resources) {
    if (typeInfo?.metaparameters === undefined) continue;
    added ??= new Set();
    for (const name of typeInfo.metaparameters) added.add(name);
  }
  return added ?? NONE;
}

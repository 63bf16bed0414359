/** Resources that are going to be in the catalog. */

import { isArray, PuppetHash, type Value } from '../pcore/index.ts';

export interface Creation {
  /** In lower case. */
  readonly type: string;
  /** Titles, and all other texts that could become names. */
  readonly mentions: ReadonlySet<string>;
}

/** What `create_resources` creates with these arguments; `undefined` when it may do more than that. */
export function creationBy([type, instances, defaults = null]: readonly Value[]): Creation | undefined {
  // Classes run at once, and paths of files have several spellings.
  if (typeof type !== 'string' || /^@*(?:::)?(?:class|file)$/i.test(type)) return undefined;
  if (!(instances instanceof PuppetHash)) return undefined;
  return {
    type: type.replace(/^@*(?:::)?/, '').toLowerCase(),
    mentions: new Set([...textsIn(instances), ...textsIn(defaults)]),
  };
}

function textsIn(value: Value): readonly string[] {
  if (isArray(value)) return value.flatMap(textsIn);
  if (value instanceof PuppetHash)
    return Array.from(value, ([key, item]) => [...textsIn(key), ...textsIn(item)]).flat();
  return value === null ? [] : [String(value)];
}

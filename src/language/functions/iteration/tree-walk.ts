/** The nodes of a tree of arrays, hashes and objects, each with the path to it. */

import {
  EnumType,
  fault,
  isArray,
  ObjectInstance,
  PuppetHash,
  type PuppetType,
  type Value,
} from '../../pcore/index.ts';

export interface TreeOptions {
  /** What counts as a container; all arrays, hashes and objects when absent. */
  readonly containerType: PuppetType | undefined;
  readonly includesRoot: boolean;
  readonly includesContainers: boolean;
  readonly includesValues: boolean;
  readonly isBreadthFirst: boolean;
  /** Attributes of objects that refer to other objects. */
  readonly includesReferences: boolean;
}

/** Reads the hash of options of `tree_each`. */
export function treeOptions(
  context: { resolveType(text: string): PuppetType },
  options: PuppetHash,
): TreeOptions {
  const containerType = options.get('container_type');
  const isType = containerType !== undefined && containerType !== null;
  const containers = context.resolveType('Variant[Array, Hash, Object]');
  const type = isType ? (containerType as PuppetType) : undefined;
  if (type !== undefined && !containers.isAssignable(type))
    throw fault(`Only Array, Hash, and Object types can be used as container types. Got ${type}`);
  const includesContainers = flag(options, 'include_containers');
  const includesValues = flag(options, 'include_values');
  if (!includesContainers && !includesValues)
    throw fault("Options 'include_containers' and 'include_values' cannot both be false");
  return {
    containerType: type,
    includesRoot: includesContainers && flag(options, 'include_root'),
    includesContainers,
    includesValues,
    isBreadthFirst: options.get('order') === 'breadth_first',
    includesReferences: options.get('include_refs') === true,
  };
}

function flag(options: PuppetHash, name: string): boolean {
  return (options.get(name) ?? true) !== false;
}

/** `[path, value]` of each node that the options ask for. */
export function* walkTree(root: Value, options: TreeOptions): Generator<Value, void, undefined> {
  if (options.includesRoot) yield [[], root];
  if (options.isBreadthFirst) yield* walkBreadthFirst(root, options);
  else yield* walkDepthFirst(root, [], options);
}

function* walkDepthFirst(
  container: Value,
  path: readonly Value[],
  options: TreeOptions,
): Generator<Value, void, undefined> {
  for (const [key, value] of childrenOf(container, options) ?? []) {
    const childPath = [...path, key];
    const isContainer = childrenOf(value, options) !== undefined;
    if (isContainer ? options.includesContainers : options.includesValues) yield [childPath, value];
    if (isContainer) yield* walkDepthFirst(value, childPath, options);
  }
}

/** As in the reference, values are given here whether or not the options ask for them. */
function* walkBreadthFirst(root: Value, options: TreeOptions): Generator<Value, void, undefined> {
  const queue: (readonly [readonly Value[], Value])[] = [[[], root]];
  for (const [path, container] of queue) {
    for (const [key, value] of childrenOf(container, options) ?? []) {
      const childPath = [...path, key];
      const isContainer = childrenOf(value, options) !== undefined;
      if (isContainer) queue.push([childPath, value]);
      if (!isContainer || options.includesContainers) yield [childPath, value];
    }
  }
}

/** The entries of a container; `undefined` for what is none. */
function childrenOf(
  value: Value,
  { containerType, includesReferences }: TreeOptions,
): Iterable<readonly [Value, Value]> | undefined {
  if (containerType !== undefined && !containerType.isInstance(value)) return undefined;
  if (isArray(value)) return value.entries();
  if (value instanceof PuppetHash) return value.entries();
  if (value instanceof ObjectInstance) return attributesOf(value, includesReferences);
  // Types are objects, too; this one has attributes of its own.
  if (value instanceof EnumType)
    return [
      ['values', [...value.values]],
      ['case_insensitive', value.isCaseInsensitive],
    ];
  return undefined;
}

function attributesOf(
  object: ObjectInstance,
  includesReferences: boolean,
): readonly (readonly [Value, Value])[] {
  const entries: (readonly [Value, Value])[] = [];
  for (const [name, { kind }] of object.type.attributes) {
    if (kind === 'reference' && !includesReferences) continue;
    entries.push([name, object.attribute(name) ?? null]);
  }
  return entries;
}

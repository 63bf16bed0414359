import { fault, IteratorValue, PuppetHash, type Value } from '../../pcore/index.ts';
import { type CallContext, type Dispatch, defineFunction } from '../function.ts';
import { TreeIterator } from './tree-iterator.ts';
import { treeOptions, walkTree } from './tree-walk.ts';
import { untilBreak } from './until-break.ts';

const PARAMETERS: Dispatch['parameters'] = [
  { type: 'Variant[Iterator, Array, Hash, Object]', name: 'tree' },
  { type: 'OptionsType', name: 'options', arity: 'optional' },
];

/**
 * `tree_each(tree, options)`: goes through all that is in nested arrays, hashes and objects: a lambda gets each
 * value, or its path and the value; without a lambda an iterator over `[path, value]`.
 */
export const treeEach = defineFunction({
  name: 'tree_each',
  bytes: 'values',
  localTypes: {
    OptionsType:
      'Struct[{container_type => Optional[Type], include_root => Optional[Boolean], ' +
      'include_containers => Optional[Boolean], include_values => Optional[Boolean], ' +
      'order => Optional[Enum[depth_first, breadth_first]], include_refs => Optional[Boolean]}]',
  },
  dispatches: [
    {
      parameters: PARAMETERS,
      block: { type: 'Callable[2,2]', name: 'block' },
      call: (context, [tree = null, options], block) =>
        visit(context, tree, options, (path, value) => block?.call([path, value])),
    },
    {
      parameters: PARAMETERS,
      block: { type: 'Callable[1,1]', name: 'block' },
      call: (context, [tree = null, options], block) =>
        visit(context, tree, options, (_path, value) => block?.call([value])),
    },
    {
      parameters: PARAMETERS,
      call: (context, [tree = null, options]) => nodesOf(context, tree, options),
    },
  ],
});

function nodesOf(context: CallContext, tree: Value, options: Value | undefined): IteratorValue {
  const settings = treeOptions(context, options instanceof PuppetHash ? options : new PuppetHash());
  return new TreeIterator(settings.isBreadthFirst, () => walkTree(tree, settings));
}

function visit(
  context: CallContext,
  tree: Value,
  options: Value | undefined,
  action: (path: Value, value: Value) => void,
): Value {
  if (tree instanceof IteratorValue) throw fault("undefined method `next' for nil:NilClass");
  const nodes = nodesOf(context, tree, options);
  untilBreak(() => {
    for (const node of nodes) if (Array.isArray(node)) action(node[0], node[1]);
  });
  return tree;
}

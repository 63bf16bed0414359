import { isArray, PuppetHash, PuppetType, type Value } from '../../pcore/index.ts';
import {
  type CallContext,
  type Dispatch,
  defineFunction,
  type Lambda,
  type LookupRequest,
} from '../function.ts';

/**
 * `lookup(name, value_type, merge, default)`, or with a hash of options: a value from Hiera. Several names are tried
 * in turn; a lambda gives the default.
 */
export const lookup = defineFunction({
  name: 'lookup',
  bytes: 'values',
  localTypes: {
    NameType: 'Variant[String, Array[String]]',
    ValueType: 'Type',
    DefaultValueType: 'Any',
    MergeType: 'Variant[String[1], Hash[String, Scalar]]',
    BlockType: 'Callable[NameType]',
    OptionsWithName:
      'Struct[{name => NameType, value_type => Optional[ValueType], default_value => Optional[DefaultValueType], ' +
      'override => Optional[Hash[String,Any]], default_values_hash => Optional[Hash[String,Any]], ' +
      'merge => Optional[MergeType]}]',
    OptionsWithoutName:
      'Struct[{value_type => Optional[ValueType], default_value => Optional[DefaultValueType], ' +
      'override => Optional[Hash[String,Any]], default_values_hash => Optional[Hash[String,Any]], ' +
      'merge => Optional[MergeType]}]',
  },
  dispatches: [
    byPosition(undefined),
    {
      parameters: [
        { type: 'NameType', name: 'name' },
        { type: 'Optional[ValueType]', name: 'value_type' },
        { type: 'Optional[MergeType]', name: 'merge' },
        { type: 'DefaultValueType', name: 'default_value' },
      ],
      call: (context, [name = null, type = null, merge = null, defaultValue = null]) =>
        find(context, { ...requestOf(name, type, merge), defaultValue }),
    },
    byPosition({ type: 'BlockType', name: 'block' }),
    {
      parameters: [{ type: 'OptionsWithName', name: 'options_hash' }],
      block: { type: 'BlockType', name: 'block', isOptional: true },
      call: (context, [options = null], block) =>
        options instanceof PuppetHash
          ? byOptions(context, options.get('name') ?? null, options, block)
          : null,
    },
    {
      parameters: [
        { type: 'Variant[String,Array[String]]', name: 'name' },
        { type: 'OptionsWithoutName', name: 'options_hash' },
      ],
      block: { type: 'BlockType', name: 'block', isOptional: true },
      call: (context, [name = null, options = null], block) =>
        options instanceof PuppetHash ? byOptions(context, name, options, block) : null,
    },
  ],
});

function byPosition(block: Dispatch['block']): Dispatch {
  return {
    parameters: [
      { type: 'NameType', name: 'name' },
      { type: 'ValueType', name: 'value_type', arity: 'optional' },
      { type: 'MergeType', name: 'merge', arity: 'optional' },
    ],
    ...(block === undefined ? {} : { block }),
    call: (context, [name = null, type = null, merge = null], lambda) =>
      find(context, { ...requestOf(name, type, merge), ...withBlock(lambda) }),
  };
}

function byOptions(context: CallContext, name: Value, options: PuppetHash, block: Lambda | undefined): Value {
  const { override, defaults } = hashesOf(options);
  const defaultValue = options.get('default_value');
  return find(context, {
    ...requestOf(name, options.get('value_type') ?? null, options.get('merge') ?? null),
    ...(defaultValue === undefined ? {} : { defaultValue }),
    ...(override === undefined ? {} : { override }),
    ...(defaults === undefined ? {} : { defaultValuesHash: defaults }),
    ...withBlock(block),
  });
}

function hashesOf(options: PuppetHash): { override?: PuppetHash; defaults?: PuppetHash } {
  const override = options.get('override');
  const defaults = options.get('default_values_hash');
  return {
    ...(override instanceof PuppetHash ? { override } : {}),
    ...(defaults instanceof PuppetHash ? { defaults } : {}),
  };
}

function requestOf(name: Value, type: Value, merge: Value): LookupRequest {
  return {
    names: isArray(name) ? name.map(String) : [String(name)],
    given: name,
    ...(type instanceof PuppetType ? { valueType: type } : {}),
    ...(merge === null ? {} : { merge }),
  };
}

function withBlock(block: Lambda | undefined): { readonly block?: Lambda } {
  return block === undefined ? {} : { block };
}

function find(context: CallContext, request: LookupRequest): Value {
  return context.lookup(request) ?? null;
}

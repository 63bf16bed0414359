import type { AttachmentKey } from '../../environment/index.ts';
import {
  assertInstance,
  Float,
  fault,
  inspect,
  isInteger,
  newInstance,
  ObjectType,
  PuppetHash,
  rubyClassName,
  type Value,
} from '../../pcore/index.ts';
import { type CallContext, defineFunction, type Lambda, type ParameterSpec } from '../function.ts';

const TYPE: ParameterSpec = { type: 'Type[Annotation]', name: 'type' };
const VALUE: ParameterSpec = { type: 'Any', name: 'value' };

/**
 * `annotate(type, value) || { hash }`: the annotation of a type that a value has; a lambda gives the attributes of a
 * new one. `annotate(type, value, hash)` puts one on it, `clear` takes it away. `annotate(Pcore, value, hashes)` puts
 * several on it. Annotations belong to the very value, and are not part of it.
 */
export const annotate = defineFunction({
  name: 'annotate',
  bytes: 'values',
  localTypes: { 'Pcore::MemberName': 'Pattern[/\\A[a-z_]\\w*\\z/]' },
  dispatches: [
    {
      parameters: [TYPE, VALUE],
      block: { type: 'Callable[0, 0]', name: 'block', isOptional: true },
      call: (context, [type = null, value = null], block) => find(context, type, value, block),
    },
    {
      parameters: [
        TYPE,
        VALUE,
        { type: 'Variant[Enum[clear],Hash[Pcore::MemberName,Any]]', name: 'annotation_hash' },
      ],
      call: (context, [type = null, value = null, hash = null]) =>
        hash instanceof PuppetHash ? put(context, type, value, hash) : clear(context, type, value),
    },
    {
      parameters: [
        { type: 'Type[Pcore]', name: 'type' },
        VALUE,
        { type: 'Hash[Type[Annotation], Hash[Pcore::MemberName,Any]]', name: 'annotations' },
      ],
      call: (context, [, value = null, annotations = null]) => {
        if (annotations instanceof PuppetHash)
          for (const [type, hash] of annotations) put(context, type, value, hash);
        return value;
      },
    },
  ],
});

type Annotations = Map<string, Value>;

/** They go when the values go. */
const annotationsOf: AttachmentKey<WeakMap<object, Annotations>> = { create: () => new WeakMap() };

function find(context: CallContext, type: Value, value: Value, block: Lambda | undefined): Value {
  const known = isHolder(value) ? context.environment.attached(annotationsOf).get(value) : undefined;
  const annotation = known?.get(nameOf(type));
  if (annotation !== undefined) return annotation;
  const hash = block?.call([]) ?? null;
  return hash === null ? null : put(context, type, value, hash);
}

function put(context: CallContext, type: Value, value: Value, hash: Value): Value {
  if (!(type instanceof ObjectType)) return null;
  assertInstance(`${type.name} initializer`, type.initHashType, hash);
  const annotation = newInstance(type, [hash], context.outside);
  if (!isHolder(value)) throw fault(`can't modify frozen ${rubyClassName(value)}: ${inspect(value)}`);
  const all = context.environment.attached(annotationsOf);
  const known = all.get(value) ?? new Map<string, Value>();
  all.set(value, known.set(nameOf(type), annotation));
  return annotation;
}

/** @returns the annotation that was there */
function clear(context: CallContext, type: Value, value: Value): Value {
  const known = isHolder(value) ? context.environment.attached(annotationsOf).get(value) : undefined;
  const annotation = known?.get(nameOf(type)) ?? null;
  known?.delete(nameOf(type));
  return annotation;
}

function nameOf(type: Value): string {
  return type instanceof ObjectType ? type.name : '';
}

/** Scalars cannot be told from others that are equal. */
function isHolder(value: Value): value is Value & object {
  return value !== null && typeof value === 'object' && !isInteger(value) && !(value instanceof Float);
}

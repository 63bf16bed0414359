/** The message about a call whose arguments fit none of a function's signatures. */

import { inferDetailed } from '../infer.ts';
import type { PuppetType } from '../puppet-type.ts';
import { ArrayType } from '../types/array-type.ts';
import type { CallableType } from '../types/callable-type.ts';
import { IntegerType } from '../types/number-types.ts';
import { OptionalType } from '../types/optional-types.ts';
import { UndefType } from '../types/plain-types.ts';
import { TupleType } from '../types/tuple-type.ts';
import type { Value } from '../value.ts';
import { describe, mergeAlternatives } from './describe.ts';
import { chopPath, type Mismatch, type Path, renderMismatch, typeMismatch } from './mismatch.ts';

/** One way to call a function. */
export interface Signature {
  readonly type: CallableType;
  readonly parameterNames: readonly string[];
  readonly blockName?: string;
}

/**
 * @param name - the function's name; `'lambda'` for a block
 * @param given - the arguments, or a Tuple of their types in detail; the block's Callable comes last
 * @returns the whole message, `''` when there is no signature
 */
export function describeSignatures(
  name: string,
  signatures: readonly Signature[],
  given: PuppetType | readonly Value[],
): string {
  if (signatures.length === 0) return '';
  const args = 'isInstance' in given ? given : inferDetailed(given);
  const errors = describeEach(signatures, args);
  const label = name === 'lambda' ? 'block' : `'${name}'`;
  const merged = mergeAlternatives(0, 'count', errors);
  const [only] = merged;
  if (merged.length === 1 && only !== undefined) return label + renderMismatch(only);
  const [signature] = signatures;
  if (signatures.length === 1 && signature !== undefined) {
    return [`${label} expects (${signatureText(signature)})`, ...rejections(errors[0], '  ')].join('\n');
  }
  const lines = signatures.flatMap((each, index) => [
    `  (${signatureText(each)})`,
    ...rejections(errors[index], '    '),
  ]);
  return [
    `The function ${label} was called with arguments it does not accept. It expects one of:`,
    ...lines,
  ].join('\n');
}

function rejections(errors: readonly Mismatch[] | undefined, indent: string): readonly string[] {
  return (errors ?? []).map((error) => `${indent}rejected:${renderMismatch(chopPath(error, 0))}`);
}

/** The arguments' mismatches; where there are none, the block's. */
function describeEach(signatures: readonly Signature[], args: PuppetType): readonly (readonly Mismatch[])[] {
  const pathOf = (index: number): Path => [{ kind: 'signature', key: index }];
  const errors = signatures.map((signature, index) => describeArguments(signature, args, pathOf(index)));
  if (errors.every((each) => each.length > 0)) return errors;
  const blocks = signatures.map((signature, index) => describeBlock(signature, args, pathOf(index)));
  if (blocks.every((each) => each.length > 0)) return blocks;
  return errors.map((each, index) => (each.length === 0 ? (blocks[index] ?? each) : each));
}

function describeArguments(signature: Signature, args: PuppetType, path: Path): readonly Mismatch[] {
  const params = signature.type.paramTypes ?? TupleType.DEFAULT;
  if (args instanceof TupleType) {
    const hasBlock = args.types.at(-1)?.isKindOfCallable() === true;
    const types = hasBlock ? args.types.slice(0, -1) : args.types;
    const size =
      hasBlock || args.sizeType === undefined ? new IntegerType(types.length, types.length) : args.sizeType;
    return describePlainArguments(signature, params, types, { size, path });
  }
  if (args instanceof ArrayType) {
    const types = params.types.map(() => args.elementType);
    return describePlainArguments(signature, params, types, { size: args.size, path });
  }
  return [typeMismatch(path, params, args)];
}

function describePlainArguments(
  signature: Signature,
  params: TupleType,
  types: readonly PuppetType[],
  { size, path }: { readonly size: IntegerType; readonly path: Path },
): readonly Mismatch[] {
  const expected = params.sizeType ?? new IntegerType(params.types.length, params.types.length);
  if (!expected.isAssignable(size)) return [{ kind: 'count', path, expected, actual: size }];
  const last = params.types.length - 1;
  for (const [index, type] of types.entries()) {
    const wanted = params.typeAt(index);
    if (wanted === undefined || wanted.isAssignable(type)) continue;
    const key = signature.parameterNames[Math.min(index, last)] ?? '';
    const mismatches = describe(wanted, type, [...path, { kind: 'parameter', key }]);
    if (mismatches.length > 0) return mismatches;
  }
  return [];
}

function describeBlock(signature: Signature, args: PuppetType, path: Path): readonly Mismatch[] {
  const wanted = signature.type.blockType;
  const block = args instanceof TupleType ? args.types.at(-1) : undefined;
  if (block?.isKindOfCallable() === true) {
    if (wanted === undefined) return [{ kind: 'unexpected-block', path }];
    return describe(wanted, block, [...path, { kind: 'block', key: 'block' }]);
  }
  if (wanted === undefined || wanted.isAssignable(UndefType.DEFAULT)) return [];
  return [{ kind: 'missing-block', path }];
}

/** `Integer x, String y?, Any *z, Callable block`, as the reference lists what a function takes. */
export function signatureText({ type, parameterNames, blockName = 'block' }: Signature): string {
  const params = type.paramTypes ?? TupleType.DEFAULT;
  const { from, to } = params.size;
  if (from === 0 && to === 0) return '';
  const names = parameterNames.length === 0 ? params.types.map(() => '') : parameterNames;
  const parts = names.map((name, index) => {
    const wanted = params.typeAt(index);
    if (to === Infinity && index === names.length - 1) {
      return `${wanted?.toString() ?? ''} ${name}${from === names.length ? '+' : '*'}`;
    }
    if (index + 1 <= from) return `${wanted?.toString() ?? ''} ${name}`;
    const content = wanted instanceof OptionalType ? (wanted.type ?? wanted) : wanted;
    return `${content?.toString() ?? ''} ${name}?`;
  });
  const block = type.blockType;
  if (block instanceof OptionalType) parts.push(`${block.type?.toString() ?? ''} ${blockName}?`);
  else if (block?.kind === 'Callable') parts.push(`${block.toString()} ${blockName}`);
  return parts.join(', ');
}

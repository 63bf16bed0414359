/** HOCON tree to values: substitutions, self-references, delayed merges. */

import type { ConcatNode, HoconNode, ObjectNode, SubstitutionNode } from './node.ts';
import { HoconError, type HoconValue, isHoconList, isHoconMap } from './value.ts';

/** What a path means that the text does not define itself: an environment variable. */
export type VariableReader = (name: string) => string | undefined;

/** @throws HoconError for a substitution that nothing defines, and for a cycle */
export function resolveTree(root: HoconNode, variable: VariableReader | undefined): HoconValue {
  return new Resolver(root, variable).resolve(root) ?? null;
}

/** Of fields that wait for each other; each takes several frames of the stack. */
const maxDepth = 500;

interface PartialField {
  /** How many fields are around it. */
  readonly depth: number;
  /** The definition that is being resolved. */
  index: number;
  /** What the definitions before it give. */
  value: HoconValue | undefined;
}

class Resolver {
  private readonly root: HoconNode;
  private readonly variable: VariableReader | undefined;
  /** Fields that are being resolved, the outermost first. */
  private readonly inProgress = new Map<readonly HoconNode[], PartialField>();
  /** Values of fields that are the same wherever they are referred to. */
  private readonly resolved = new Map<readonly HoconNode[], HoconValue | undefined>();
  /** The outermost field whose unfinished value was read since the innermost one began. */
  private outermostRead = Number.POSITIVE_INFINITY;

  constructor(root: HoconNode, variable: VariableReader | undefined) {
    this.root = root;
    this.variable = variable;
  }

  /** @returns `undefined` for an optional substitution that nothing defines */
  resolve(node: HoconNode): HoconValue | undefined {
    switch (node.kind) {
      case 'scalar':
        return node.value;
      case 'space':
        return node.text;
      case 'array':
        return node.items.map((item) => this.resolve(item)).filter((item) => item !== undefined);
      case 'object':
        return this.object(node);
      case 'substitution':
        return this.substitution(node);
      case 'concat':
        return this.concat(node);
      default:
        return node satisfies never;
    }
  }

  private object(node: ObjectNode): HoconValue {
    const result = new Map<string, HoconValue>();
    for (const [key, definitions] of node.fields) {
      const value = this.field(definitions);
      if (value !== undefined) result.set(key, value);
    }
    return result;
  }

  private field(definitions: readonly HoconNode[]): HoconValue | undefined {
    if (this.resolved.has(definitions)) return this.resolved.get(definitions);
    const own: PartialField = { depth: this.inProgress.size, index: 0, value: undefined };
    const readBefore = this.outermostRead;
    this.outermostRead = Number.POSITIVE_INFINITY;
    this.inProgress.set(definitions, own);
    for (const [index, definition] of definitions.entries()) {
      own.index = index;
      const value = this.resolve(definition);
      if (value === undefined) continue;
      own.value = isHoconMap(own.value) && isHoconMap(value) ? merged(own.value, value) : value;
    }
    this.inProgress.delete(definitions);
    // Read from within a field around it, an unfinished value would be another one elsewhere.
    if (this.outermostRead >= own.depth) this.resolved.set(definitions, own.value);
    this.outermostRead = Math.min(this.outermostRead, readBefore);
    return own.value;
  }

  private substitution(node: SubstitutionNode): HoconValue | undefined {
    const value = this.lookup(node) ?? this.variable?.(node.path.join('.'));
    if (value !== undefined || node.isOptional) return value;
    throw new HoconError(`Could not resolve substitution to a value: \${${node.path.join('.')}}`, node.line);
  }

  private lookup(node: SubstitutionNode): HoconValue | undefined {
    let place: HoconNode = this.root;
    for (const [index, key] of node.path.entries()) {
      const definitions: readonly HoconNode[] | undefined =
        place.kind === 'object' ? place.fields.get(key) : undefined;
      if (definitions === undefined) return undefined;
      const [only] = definitions;
      const isLast = index === node.path.length - 1;
      if (!isLast && definitions.length === 1 && only?.kind === 'object') place = only;
      else return dig(this.fieldSeenFrom(definitions, node), node.path.slice(index + 1));
    }
    return undefined;
  }

  /** Within a field, a reference to the field itself means what its definitions before have made of it. */
  private fieldSeenFrom(definitions: readonly HoconNode[], node: SubstitutionNode): HoconValue | undefined {
    const current = this.inProgress.get(definitions);
    if (current === undefined && this.inProgress.size > maxDepth)
      throw new HoconError(`Substitutions refer to each other more than ${maxDepth} deep`, node.line);
    if (current === undefined) return this.field(definitions);
    if (current.index === 0 && !node.isOptional)
      throw new HoconError(`Substitution \${${node.path.join('.')}} is part of a cycle`, node.line);
    this.outermostRead = Math.min(this.outermostRead, current.depth);
    return current.value;
  }

  private concat(node: ConcatNode): HoconValue | undefined {
    const parts = node.parts.map((part) => ({ part, value: this.resolve(part) }));
    const values = parts.filter(({ part, value }) => part.kind !== 'space' && value !== undefined);
    if (values.some(({ value }) => isHoconMap(value))) return concatMaps(values.map(({ value }) => value));
    if (values.some(({ value }) => isHoconList(value))) return concatLists(values.map(({ value }) => value));
    if (values.length === 0) return undefined;
    return parts.map(({ part, value }) => (part.kind === 'scalar' ? part.text : textOf(value))).join('');
  }
}

function textOf(value: HoconValue | undefined): string {
  return value === undefined ? '' : String(value);
}

function dig(value: HoconValue | undefined, path: readonly string[]): HoconValue | undefined {
  let result = value;
  for (const key of path) result = isHoconMap(result) ? result.get(key) : undefined;
  return result;
}

function merged(
  base: ReadonlyMap<string, HoconValue>,
  over: ReadonlyMap<string, HoconValue>,
): ReadonlyMap<string, HoconValue> {
  const result = new Map(base);
  for (const [key, value] of over) {
    const old = result.get(key);
    result.set(key, isHoconMap(old) && isHoconMap(value) ? merged(old, value) : value);
  }
  return result;
}

function concatMaps(values: readonly (HoconValue | undefined)[]): HoconValue {
  let result: ReadonlyMap<string, HoconValue> = new Map();
  for (const value of values) {
    if (!isHoconMap(value))
      throw new HoconError('Cannot concatenate an object with another kind of value', 0);
    result = merged(result, value);
  }
  return result;
}

function concatLists(values: readonly (HoconValue | undefined)[]): HoconValue {
  const result: HoconValue[] = [];
  for (const value of values) {
    if (!isHoconList(value)) throw new HoconError('Cannot concatenate a list with another kind of value', 0);
    result.push(...value);
  }
  return result;
}

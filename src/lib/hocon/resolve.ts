/** HOCON tree to values: substitutions, self-references, delayed merges. */

import type { ConcatNode, HoconNode, ObjectNode, SubstitutionNode } from './node.ts';
import { HoconError, type HoconValue, isHoconList, isHoconMap } from './value.ts';

/** What a path means that the text does not define itself: an environment variable. */
export type VariableReader = (name: string) => string | undefined;

/** @throws HoconError for a substitution that nothing defines, and for a cycle */
export function resolveTree(root: HoconNode, variable: VariableReader | undefined): HoconValue {
  return new Resolver(root, variable).resolve(root) ?? null;
}

class Resolver {
  private readonly root: HoconNode;
  private readonly variable: VariableReader | undefined;
  /** Which definition of a field is being resolved: a reference to the field itself means those before it. */
  private readonly underWay = new Map<readonly HoconNode[], number>();

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

  private field(definitions: readonly HoconNode[], limit = definitions.length): HoconValue | undefined {
    let result: HoconValue | undefined;
    const before = this.underWay.get(definitions);
    for (let index = 0; index < limit; index++) {
      const definition = definitions[index];
      if (definition === undefined) continue;
      this.underWay.set(definitions, index);
      const value = this.resolve(definition);
      if (value === undefined) continue;
      result = isHoconMap(result) && isHoconMap(value) ? merged(result, value) : value;
    }
    if (before === undefined) this.underWay.delete(definitions);
    else this.underWay.set(definitions, before);
    return result;
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

  private fieldSeenFrom(definitions: readonly HoconNode[], node: SubstitutionNode): HoconValue | undefined {
    const current = this.underWay.get(definitions);
    if (current === undefined) return this.field(definitions);
    if (current === 0 && !node.isOptional) {
      throw new HoconError(`Substitution \${${node.path.join('.')}} is part of a cycle`, node.line);
    }
    return this.field(definitions, current);
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

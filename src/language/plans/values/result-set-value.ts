import { isInteger, keyOf, ObjectInstance, type ObjectMethod, type Value } from '../../pcore/index.ts';
import { dataText } from '../plan-data.ts';
import { PLAN_TYPES } from './plan-types.ts';
import { ResultValue } from './result-value.ts';

/** What an action gave on all of its targets, in their order. */
export class ResultSetValue extends ObjectInstance {
  readonly results: readonly ResultValue[];

  constructor(results: readonly ResultValue[]) {
    super(PLAN_TYPES.object('ResultSet'), new Map());
    this.results = results;
  }

  get isOk(): boolean {
    return this.results.every(({ isOk }) => isOk);
  }

  get failed(): ResultSetValue {
    return new ResultSetValue(this.results.filter(({ isOk }) => !isOk));
  }

  toData(): readonly Value[] {
    return this.results.map((result) => result.toData());
  }

  override attribute(name: string): Value | undefined {
    return name === 'results' ? this.results : undefined;
  }

  override items(): readonly Value[] {
    return this.results;
  }

  override method(name: string): ObjectMethod | undefined {
    if (!this.type.functions.has(name)) return undefined;
    return (args, block) => this.member(name, args, block);
  }

  override at(keys: readonly Value[]): Value {
    const [from = 0, to] = keys;
    if (!isInteger(from)) return null;
    if (to === undefined || !isInteger(to)) return this.results.at(Number(from)) ?? null;
    const end = Number(to);
    return this.results.slice(Number(from), end < 0 ? this.results.length + end + 1 : end + 1);
  }

  override text(): string {
    return dataText(this.toData());
  }

  override equalityKey(): string {
    return `ResultSet:${this.results.map((result) => keyOf(result)).join()}`;
  }

  private member(name: string, args: readonly Value[], block: Parameters<ObjectMethod>[1]): Value {
    switch (name) {
      case 'count':
        return this.results.length;
      case 'empty':
        return this.results.length === 0;
      case 'error_set':
        return this.failed;
      case 'ok_set':
        return new ResultSetValue(this.results.filter(({ isOk }) => isOk));
      case 'filter_set':
        return new ResultSetValue(this.results.filter((result) => isTrue(block?.([result]) ?? null)));
      case 'find':
        return this.results.findLast(({ target }) => target.name === args[0]) ?? null;
      case 'first':
        return this.results[0] ?? null;
      case 'names':
        return this.results.map(({ target }) => target.name);
      case 'ok':
        return this.isOk;
      case 'targets':
        return this.results.map(({ target }) => target);
      case '[]':
        return this.at(args);
      default:
        return this.toData();
    }
  }
}

function isTrue(value: Value): boolean {
  return value !== false && value !== null;
}

/** The results in a value of the language. */
export function resultsIn(values: readonly Value[]): readonly ResultValue[] {
  return values.filter((value) => value instanceof ResultValue);
}

import {
  ErrorValue,
  isArray,
  keyOf,
  ObjectInstance,
  type ObjectMethod,
  PuppetHash,
  SensitiveValue,
  type Value,
} from '../../pcore/index.ts';
import { dataText } from '../plan-data.ts';
import { PLAN_TYPES } from './plan-types.ts';
import type { TargetValue } from './target-value.ts';

export interface ResultParts {
  readonly target: TargetValue;
  readonly value: PuppetHash;
  readonly action: string;
  readonly object: Value;
}

/** What an action gave on one target; `ApplyResult` for a catalog. */
export class ResultValue extends ObjectInstance {
  readonly target: TargetValue;
  readonly value: PuppetHash;
  readonly action: string;
  readonly object: Value;

  constructor({ target, value, action, object }: ResultParts, kind: 'Result' | 'ApplyResult' = 'Result') {
    super(PLAN_TYPES.object(kind), new Map());
    this.target = target;
    this.value = value;
    this.action = action;
    this.object = object;
  }

  get isOk(): boolean {
    return (this.value.get('_error') ?? null) === null;
  }

  get error(): ErrorValue | null {
    const error = this.value.get('_error');
    if (!(error instanceof PuppetHash)) return null;
    const part = (name: string): Value => error.get(name) ?? null;
    return new ErrorValue(String(part('msg')), part('kind'), part('details'), part('issue_code'));
  }

  toData(): PuppetHash {
    return PuppetHash.from({
      target: this.target.name,
      action: this.action,
      object: this.object,
      status: this.isOk ? 'success' : 'failure',
      value: redacted(this.value),
    });
  }

  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'target':
        return this.target;
      case 'value':
        return this.type.attributes.has('value') ? this.value : undefined;
      case 'report':
      case 'catalog':
        return this.type.attributes.has(name) ? this.fromCatalog(name) : undefined;
      case 'error':
        return this.type.attributes.has(name) ? this.error : undefined;
      default:
        return undefined;
    }
  }

  override method(name: string): ObjectMethod | undefined {
    if (name === 'report' || name === 'catalog' || !this.type.functions.has(name)) return undefined;
    return ([key = null]) => (name === '[]' ? this.at([key]) : this.member(name));
  }

  override at(keys: readonly Value[]): Value {
    return this.value.get(keys[0] ?? null) ?? null;
  }

  override text(): string {
    return dataText(this.toData());
  }

  override equalityKey(): string {
    return `Result:${this.target.name}:${keyOf(this.value)}`;
  }

  private member(name: string): Value {
    switch (name) {
      case 'ok':
        return this.isOk;
      case 'error':
        return this.error;
      case 'message':
        return this.value.get('_output') ?? null;
      case 'sensitive':
        return this.value.get('_sensitive') ?? null;
      case 'status':
        return this.isOk ? 'success' : 'failure';
      case 'action':
        return this.action;
      case 'value':
        return this.value;
      default:
        return this.toData();
    }
  }

  private fromCatalog(name: string): Value {
    if (name === 'report') return this.value.get('report') ?? null;
    const held = this.value.get('_sensitive');
    const inside = held instanceof SensitiveValue ? held.unwrap() : null;
    return inside instanceof PuppetHash ? (inside.get('catalog') ?? null) : null;
  }
}

/** What is sensitive as messages show it. */
function redacted(value: Value): Value {
  if (value instanceof SensitiveValue) return value.toString();
  if (isArray(value)) return value.map(redacted);
  if (!(value instanceof PuppetHash)) return value;
  return new PuppetHash([...value].map(([key, item]) => [key, redacted(item)] as const));
}

import { isArray, ObjectInstance, type ObjectMethod, type Value } from '../../pcore/index.ts';
import { PLAN_TYPES } from './plan-types.ts';

/** What a plan asks of a target: its data changes while a plan runs, so nothing of it is kept in the value. */
export interface TargetData {
  read(target: string, what: string): Value | undefined;
}

/** A target, which is its name: everything else is in the inventory. */
export class TargetValue extends ObjectInstance {
  readonly name: string;
  private readonly data: TargetData;

  constructor(name: string, data: TargetData) {
    super(PLAN_TYPES.object('Target'), new Map());
    this.name = name;
    this.data = data;
  }

  override attribute(name: string): Value | undefined {
    if (name === 'name') return this.name;
    return this.type.attributes.has(name) ? (this.data.read(this.name, name) ?? null) : undefined;
  }

  override method(name: string): ObjectMethod | undefined {
    return this.type.functions.has(name) ? () => this.data.read(this.name, name) ?? null : undefined;
  }

  override text(): string {
    const name = this.data.read(this.name, 'safe_name');
    return typeof name === 'string' ? name : this.name;
  }

  override equalityKey(): string {
    return `Target:${this.name}`;
  }
}

/** The targets in a value that is a target, or a list of targets and lists. */
export function targetsIn(value: Value): readonly TargetValue[] {
  if (value instanceof TargetValue) return [value];
  return isArray(value) ? value.flatMap(targetsIn) : [];
}

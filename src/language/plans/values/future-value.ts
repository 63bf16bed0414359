import { ObjectInstance, type ObjectMethod } from '../../pcore/index.ts';
import type { Branch } from '../run/branch.ts';
import { PLAN_TYPES } from './plan-types.ts';

/** What `background()` gives: the block that runs beside the plan. */
export class FutureValue extends ObjectInstance {
  readonly branch: Branch;
  private readonly state: () => string;

  /** @param state - asked each time that the plan asks */
  constructor(branch: Branch, state: () => string) {
    super(PLAN_TYPES.object('Future'), new Map());
    this.branch = branch;
    this.state = state;
  }

  override method(name: string): ObjectMethod | undefined {
    return name === 'state' ? () => this.state() : undefined;
  }

  override text(): string {
    return `Future '${this.branch.name}'`;
  }

  override equalityKey(): string {
    return `Future:${this.branch.id}`;
  }
}

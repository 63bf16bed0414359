import { PuppetType } from '../puppet-type.ts';
import type { Value } from '../value.ts';

/** `Boolean`, `Boolean[true]` or `Boolean[false]`. */
export class BooleanType extends PuppetType {
  static readonly DEFAULT: BooleanType = new BooleanType();
  static readonly TRUE: BooleanType = new BooleanType(true);
  static readonly FALSE: BooleanType = new BooleanType(false);
  readonly kind = 'Boolean';
  readonly value: boolean | undefined;
  constructor(value?: boolean) {
    super();
    this.value = value;
  }
  isInstance(value: Value): boolean {
    return typeof value === 'boolean' && (this.value === undefined || this.value === value);
  }
  accepts(other: PuppetType): boolean {
    return other instanceof BooleanType && (this.value === undefined || this.value === other.value);
  }
  render(): string {
    return this.value === undefined ? 'Boolean' : `Boolean[${this.value}]`;
  }
  override generalize(): PuppetType {
    return BooleanType.DEFAULT;
  }
}

/** The type `Puppet::LookupContext`. */

import { PuppetType, type Value } from '../pcore/index.ts';
import type { LookupContext } from './lookup-context.ts';

export class LookupContextType extends PuppetType {
  readonly kind = 'Object';
  private readonly isContext: (value: Value) => value is LookupContext;

  /** @param isContext - passed in, because the class of contexts names this type itself */
  constructor(isContext: (value: Value) => value is LookupContext) {
    super();
    this.isContext = isContext;
  }

  override get name(): string {
    return 'Puppet::LookupContext';
  }

  isInstance(value: Value): boolean {
    return this.isContext(value);
  }

  accepts(other: PuppetType): boolean {
    return other instanceof LookupContextType;
  }

  render(): string {
    return this.name;
  }
}

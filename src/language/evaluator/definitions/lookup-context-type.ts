import { LookupContext } from '../../hiera/index.ts';
import { PuppetType, type Value } from '../../pcore/index.ts';

/** `Puppet::LookupContext`: what functions that are backends of Hiera are given. */
export class LookupContextType extends PuppetType {
  readonly kind = 'Object';

  override get name(): string {
    return 'Puppet::LookupContext';
  }

  isInstance(value: Value): boolean {
    return value instanceof LookupContext;
  }

  accepts(other: PuppetType): boolean {
    return other instanceof LookupContextType;
  }

  render(): string {
    return this.name;
  }
}

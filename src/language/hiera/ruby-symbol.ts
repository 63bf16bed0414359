/** A symbol of Ruby in a YAML file: no data, so no lookup may give it. Functions that read files themselves see it. */

import { OpaqueValue, type PuppetType, RuntimeType } from '../pcore/index.ts';

export class RubySymbol extends OpaqueValue {
  readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
  }

  override equalityKey(): string {
    return `RubySymbol:${this.name}`;
  }

  override inferType(): PuppetType {
    return new RuntimeType('ruby', 'Symbol');
  }

  override toString(): string {
    return this.name;
  }
}

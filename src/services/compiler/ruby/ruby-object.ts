/** Objects of Ruby that the language has no name for: they can be carried about and handed back. */

import { OpaqueValue, type PuppetType, RuntimeType } from '../../../language/pcore/index.ts';

export class RubyObject extends OpaqueValue {
  readonly className: string;
  /** Under which Ruby has kept it; absent for symbols, which are what their text is. */
  readonly id: number | undefined;
  private readonly text: string;

  constructor(className: string, text: string, id: number | undefined) {
    super();
    this.className = className;
    this.text = text;
    this.id = id;
  }

  override toString(): string {
    return this.text;
  }

  equalityKey(): string {
    return `Ruby:${this.className}:${this.id ?? ''}:${this.text}`;
  }

  override inferType(): PuppetType {
    return new RuntimeType('ruby', this.className);
  }
}

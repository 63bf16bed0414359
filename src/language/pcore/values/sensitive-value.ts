import { keyOf, OpaqueValue, type Value } from '../value.ts';

/** A value that must not be shown. */
export class SensitiveValue extends OpaqueValue {
  private readonly content: Value;
  constructor(content: Value) {
    super();
    this.content = content;
  }
  unwrap(): Value {
    return this.content;
  }
  override toString(): string {
    return 'Sensitive [value redacted]';
  }
  equalityKey(): string {
    return `Sensitive:${keyOf(this.content)}`;
  }
  /** Keeps the content out of logs. */
  toJSON(): string {
    return this.toString();
  }
}

import { PuppetType, type TypeStyle } from '../puppet-type.ts';

/** The base of types with one optional type parameter: `Optional[T]`, `Type[T]`, ... */
export abstract class ContainingType extends PuppetType {
  /** Absent for the unparameterised type. */
  readonly type: PuppetType | undefined;

  constructor(type?: PuppetType) {
    super();
    this.type = type;
  }

  /** The same kind of type around another one. */
  protected abstract around(type: PuppetType | undefined): PuppetType;

  override generalize(): PuppetType {
    const type = this.type?.generalize();
    return type === this.type ? this : this.around(type);
  }
  override normalize(): PuppetType {
    const type = this.type?.normalize();
    return type === this.type ? this : this.around(type);
  }
  override equalityKey(): string {
    return this.type === undefined ? this.kind : `${this.kind}[${this.type.equalityKey()}]`;
  }
  override parts(): readonly PuppetType[] {
    return this.type === undefined ? [] : [this.type];
  }
  render(style: TypeStyle): string {
    return this.type === undefined ? this.kind : `${this.kind}[${this.type.render(style)}]`;
  }
}

import { PuppetType, type TypeStyle } from '../puppet-type.ts';
import { OpaqueValue, type Value } from '../value.ts';
import { ArrayType } from './array-type.ts';
import { rangeParameters } from './bound.ts';
import { IntegerType } from './number-types.ts';
import { AnyType, UndefType } from './plain-types.ts';
import { TupleType } from './tuple-type.ts';

/** The type of functions and lambdas, by their parameters, block and result. */
export class CallableType extends PuppetType {
  static readonly DEFAULT: CallableType = new CallableType();
  readonly kind = 'Callable';
  /** Absent: any parameters. */
  readonly paramTypes: TupleType | undefined;
  readonly blockType: PuppetType | undefined;
  /** Absent: any result. */
  readonly returnType: PuppetType | undefined;

  constructor(paramTypes?: TupleType, blockType?: PuppetType, returnType?: PuppetType) {
    super();
    this.paramTypes = paramTypes;
    this.blockType = blockType;
    this.returnType = returnType?.kind === 'Any' ? undefined : returnType;
  }

  isInstance(value: Value): boolean {
    if (!(value instanceof OpaqueValue)) return false;
    const type = value.inferType();
    return type instanceof CallableType && this.isAssignable(type);
  }

  accepts(other: PuppetType): boolean {
    if (!(other instanceof CallableType)) return false;
    if (this.returnType?.isAssignable(other.returnType ?? AnyType.DEFAULT) === false) return false;
    if (this.paramTypes === undefined) return true;
    // Parameters and blocks are contravariant.
    if (other.paramTypes?.isAssignable(this.paramTypes) !== true) return false;
    return (other.blockType ?? UndefType.DEFAULT).isAssignable(this.blockType ?? UndefType.DEFAULT);
  }

  /**
   * Whether a call with these arguments is possible.
   *
   * @param args - a Tuple or Array of the arguments' types; a Callable that ends a Tuple is the block
   */
  isCallableWithTypes(args: PuppetType): boolean {
    const isBlockOptional = this.blockType === undefined || this.blockType.isAssignable(UndefType.DEFAULT);
    if (!(args instanceof TupleType)) {
      return args instanceof ArrayType && this.paramTypes?.isAssignable(args) !== false && isBlockOptional;
    }
    const last = args.types.at(-1);
    if (last?.isKindOfCallable() !== true)
      return this.paramTypes?.isAssignable(args) !== false && isBlockOptional;
    if (this.blockType?.isAssignable(last) !== true) return false;
    const count = args.types.length - 1;
    if (this.paramTypes?.size.isAssignable(new IntegerType(count, count)) === false) return false;
    return args.types
      .slice(0, -1)
      .every((type, index) => this.paramTypes?.typeAt(index)?.isAssignable(type) !== false);
  }

  /** The same for values: allocates nothing. `block` is the type of the block. */
  isCallableWith(args: readonly Value[], block: PuppetType | undefined): boolean {
    if (this.paramTypes === undefined) return true;
    if (!this.paramTypes.isInstance(args)) return false;
    if (this.blockType === undefined) return block === undefined;
    return this.blockType.isAssignable(block ?? UndefType.DEFAULT);
  }

  override isKindOfCallable(): boolean {
    return true;
  }

  render(style: TypeStyle): string {
    if (this.returnType === undefined) {
      return this.paramTypes === undefined
        ? 'Callable'
        : `Callable[${this.renderParameters(this.paramTypes, style)}]`;
    }
    const parameters = this.paramTypes === undefined ? '' : this.renderParameters(this.paramTypes, style);
    return `Callable[[${parameters}], ${this.returnType.render(style)}]`;
  }

  private renderParameters(params: TupleType, style: TypeStyle): string {
    const types = params.types.filter((type) => type.kind !== 'Unit').map((type) => type.render(style));
    const sizes =
      params.types.length === 0
        ? ['0', '0']
        : params.sizeType === undefined
          ? []
          : rangeParameters(params.sizeType.from, params.sizeType.to);
    const block = this.blockType === undefined ? [] : [this.blockType.render(style)];
    return [...types, ...sizes, ...block].join(', ');
  }
  override equalityKey(): string {
    const keys = [this.paramTypes, this.blockType, this.returnType].map((type) => type?.equalityKey() ?? '-');
    return `Callable[${keys.join(';')}]`;
  }
  override generalize(): PuppetType {
    return this.map((type) => type.generalize());
  }
  override normalize(): PuppetType {
    return this.map((type) => type.normalize());
  }
  private map(change: (type: PuppetType) => PuppetType): PuppetType {
    const params = this.paramTypes === undefined ? undefined : change(this.paramTypes);
    const block = this.blockType === undefined ? undefined : change(this.blockType);
    const result = this.returnType === undefined ? undefined : change(this.returnType);
    if (params === this.paramTypes && block === this.blockType && result === this.returnType) return this;
    return new CallableType(params instanceof TupleType ? params : undefined, block, result);
  }
  override parts(): readonly PuppetType[] {
    return [this.paramTypes, this.blockType, this.returnType].filter((type) => type !== undefined);
  }
}

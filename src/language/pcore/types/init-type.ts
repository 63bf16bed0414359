import { constructorSignatures } from '../conversions/constructors.ts';
import { fault } from '../fault.ts';
import { programText } from '../formats/program-text.ts';
import { inferDetailed } from '../infer.ts';
import type { PuppetType, TypeStyle } from '../puppet-type.ts';
import { keyOf, type Value } from '../value.ts';
import { RICH_DATA } from './builtin-aliases.ts';
import { ContainingType } from './containing-type.ts';
import { IntegerType } from './number-types.ts';
import { TupleType } from './tuple-type.ts';
import { VariantType } from './variant-type.ts';

/** What may be given to `new` of a type: `Init[Integer]` accepts integers and all that can become one. */
export class InitType extends ContainingType {
  static readonly DEFAULT: InitType = new InitType();
  readonly kind = 'Init';
  readonly initArgs: readonly Value[];
  private known: Accepted | undefined;
  private isPending = false;

  constructor(type?: PuppetType, initArgs: readonly Value[] = []) {
    super(type);
    if (type === undefined && initArgs.length > 0) {
      throw fault('Init cannot be parameterized with an undefined type and additional arguments');
    }
    this.initArgs = initArgs;
  }

  /** @throws PuppetError when the type has no `new`, or its `new` does not take the arguments */
  get accepted(): Accepted {
    this.known ??= acceptedBy(this);
    return this.known;
  }

  isInstance(value: Value): boolean {
    if (this.type === undefined) return RICH_DATA.isInstance(value);
    const { single, others, hasOptionalSingle } = this.accepted;
    return this.guarded(() => {
      if (single.isInstance(value)) return true;
      return (
        others !== undefined &&
        (others.isInstance(value) || (hasOptionalSingle && others.isInstance([value])))
      );
    });
  }
  accepts(other: PuppetType): boolean {
    if (this.type === undefined) return other.kind === 'Init' || RICH_DATA.isAssignable(other);
    const { type } = this;
    if (other instanceof InitType) return other.type !== undefined && type.isAssignable(other.type);
    const { single, others, hasOptionalSingle } = this.accepted;
    return this.guarded(() => {
      if (type.isAssignable(other) || single.isAssignable(other)) return true;
      if (others === undefined) return false;
      return others.isAssignable(other) || (hasOptionalSingle && others.isAssignable(new TupleType([other])));
    });
  }
  /** A type whose constructor takes itself. */
  private guarded(check: () => boolean): boolean {
    if (this.isPending) return false;
    this.isPending = true;
    try {
      return check();
    } finally {
      this.isPending = false;
    }
  }

  override render(style: TypeStyle): string {
    if (this.type === undefined) return 'Init';
    return `Init[${[this.type.render(style), ...this.initArgs.map((value) => programText(value))].join(', ')}]`;
  }
  override equalityKey(): string {
    return `${super.equalityKey()}(${this.initArgs.map(keyOf).join()})`;
  }
  protected around(type: PuppetType | undefined): PuppetType {
    return new InitType(type, this.initArgs);
  }
}

interface Accepted {
  /** What may be the only argument. */
  readonly single: PuppetType;
  /** Tuples of several arguments. */
  readonly others: PuppetType | undefined;
  readonly hasOptionalSingle: boolean;
}

function acceptedBy({ type, initArgs }: InitType): Accepted {
  const content = type ?? RICH_DATA;
  const tuples = tuplesOf(content);
  if (initArgs.length > 0) return acceptedWith(content, initArgs, tuples);
  const isSingle = (tuple: TupleType): boolean => tuple.size.from === 1 && tuple.size.to === 1;
  const singles = tuples.filter(isSingle).flatMap((tuple) => tuple.types.slice(0, 1));
  const others = tuples.filter((tuple) => !isSingle(tuple));
  return {
    single: VariantType.of([content, ...singles]),
    others: others.length === 0 ? undefined : VariantType.of(others),
    hasOptionalSingle: others.some((tuple) => tuple.size.from === 1),
  };
}

function acceptedWith(type: PuppetType, initArgs: readonly Value[], tuples: readonly TupleType[]): Accepted {
  const given = initArgs.map(inferDetailed);
  const count = new IntegerType(given.length + 1, given.length + 1);
  const fitting = tuples.filter(
    (tuple) =>
      tuple.size.isAssignable(count) &&
      tuple.isAssignable(new TupleType([...tuple.types.slice(0, 1), ...given])),
  );
  if (fitting.length === 0) {
    const text = new InitType(type, initArgs).toString();
    const subject = `${type.generalize().name}.new()`;
    throw fault(`The type '${text}' does not represent a valid set of parameters for ${subject}`);
  }
  const firsts = fitting.flatMap((tuple) => tuple.types.slice(0, 1));
  return { single: VariantType.of([type, ...firsts]), others: undefined, hasOptionalSingle: false };
}

function tuplesOf(type: PuppetType): readonly TupleType[] {
  const isAllowed = !['Init', 'Optional', 'NotUndef'].includes(type.kind);
  const signatures = isAllowed ? constructorSignatures(type) : undefined;
  if (signatures === undefined) {
    throw fault(`Creation of new instance of type '${type.toString()}' is not supported`);
  }
  return signatures.flatMap((signature) =>
    signature.type.paramTypes === undefined ? [] : [signature.type.paramTypes],
  );
}

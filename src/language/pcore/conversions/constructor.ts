/** What `new` of a type takes, and how the value is made. */

import { fault } from '../fault.ts';
import { inferDetailed } from '../infer.ts';
import { describeSignatures, type Signature } from '../mismatch/describe-signatures.ts';
import type { PuppetType } from '../puppet-type.ts';
import { parseType } from '../resolution/parse-type.ts';
import { AliasType } from '../types/alias-type.ts';
import { CallableType } from '../types/callable-type.ts';
import { IntegerType } from '../types/number-types.ts';
import { TupleType } from '../types/tuple-type.ts';
import type { Value } from '../value.ts';
import { ByteString, textOfBytes } from '../values/byte-string.ts';

/** What making a value may need from outside. */
export interface NewContext {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** A parameter's type as text or, where text cannot say it, itself. */
export interface ConstructorParameter {
  readonly name: string;
  readonly type: string | PuppetType;
  readonly isOptional?: boolean;
}
export interface ConstructorDispatch {
  readonly parameters: readonly ConstructorParameter[];
  readonly make: (args: readonly Value[], context: NewContext) => Value;
}
/** A message of its own for arguments that fit these parameters, but no dispatch. */
export interface ConstructorMismatch {
  readonly parameters: readonly ConstructorParameter[];
  readonly explain: (args: readonly Value[]) => string;
}
export interface ConstructorDefinition {
  /** As in messages: `new_float`. */
  readonly name: string;
  /** Name -> type text; a later one may use an earlier one. */
  readonly localTypes?: Readonly<Record<string, string>>;
  readonly dispatches: readonly ConstructorDispatch[];
  /** Strings of bytes are handed over as they are, not as text. */
  readonly takesBytes?: boolean;
  readonly mismatches?: readonly ConstructorMismatch[];
}

export class Constructor {
  private readonly definition: ConstructorDefinition;
  private readonly aliases = new Map<string, PuppetType>();
  private knownSignatures: readonly Signature[] | undefined;
  private knownMismatches: readonly Signature[] | undefined;

  constructor(definition: ConstructorDefinition) {
    this.definition = definition;
    for (const [name, text] of Object.entries(definition.localTypes ?? {})) {
      this.aliases.set(name.toLowerCase(), new AliasType(name, () => parseType(text, this)));
    }
  }

  findAlias(name: string): PuppetType | undefined {
    return this.aliases.get(name.toLowerCase());
  }

  get signatures(): readonly Signature[] {
    this.knownSignatures ??= this.definition.dispatches.map(({ parameters }) => this.signatureOf(parameters));
    return this.knownSignatures;
  }

  private get mismatches(): readonly Signature[] {
    this.knownMismatches ??= (this.definition.mismatches ?? []).map(({ parameters }) =>
      this.signatureOf(parameters),
    );
    return this.knownMismatches;
  }

  private signatureOf(parameters: readonly ConstructorParameter[]): Signature {
    const types = parameters.map(({ type }) => (typeof type === 'string' ? parseType(type, this) : type));
    const required = parameters.filter(({ isOptional }) => isOptional !== true).length;
    const tuple = new TupleType(types, new IntegerType(required, parameters.length));
    return { type: new CallableType(tuple), parameterNames: parameters.map(({ name }) => name) };
  }

  /** @throws PuppetError when the arguments do not fit, or make no value */
  make(given: readonly Value[], context: NewContext): Value {
    const keepsAll = this.definition.takesBytes === true || !given.some(isBytes);
    const args = keepsAll ? given : given.map(asText);
    const found = this.signatures.findIndex((signature) => signature.type.isCallableWith(args, undefined));
    const dispatch = this.definition.dispatches[found];
    if (dispatch !== undefined) return dispatch.make(args, context);
    const explained = this.mismatches.findIndex((signature) =>
      signature.type.isCallableWith(args, undefined),
    );
    const mismatch = this.definition.mismatches?.[explained];
    if (mismatch !== undefined) throw fault(`'${this.definition.name}' ${mismatch.explain(args)}`);
    throw fault(describeSignatures(this.definition.name, this.signatures, inferDetailed(args)));
  }
}

function isBytes(value: Value): boolean {
  return value instanceof ByteString;
}

function asText(value: Value): Value {
  return value instanceof ByteString ? textOfBytes(value) : value;
}

import { matches } from '../comparison/match.ts';
import { fault } from '../fault.ts';
import { programText } from '../formats/program-text.ts';
import { PuppetType, type TypeStyle } from '../puppet-type.ts';
import type { PuppetHash, Value } from '../value.ts';
import { ObjectInstance } from '../values/object-instance.ts';
import { puppetQuote } from '../values/quote.ts';
import { AliasType } from './alias-type.ts';
import {
  defineObject,
  type ObjectAttribute,
  type ObjectDefinition,
  type ObjectFunction,
} from './object-definition.ts';
import { UndefType } from './plain-types.ts';
import { TypeReferenceType } from './reference-types.ts';
import { StructElement, StructType } from './struct-type.ts';

/** Whether making an object needs no value for it: it has one, or undef will do. */
export function mayBeAbsent(attribute: ObjectAttribute): boolean {
  return attribute.value !== undefined || attribute.type.isAssignable(UndefType.DEFAULT);
}

/** A type with attributes and functions, which may inherit from another. Its definition is read at first use. */
export class ObjectType extends PuppetType {
  static readonly DEFAULT: ObjectType = new ObjectType('', () => undefined);
  readonly kind = 'Object';
  private readonly givenName: string;
  private readonly readDefinition: () => PuppetHash | undefined;
  private known: ObjectDefinition | undefined;

  /**
   * @param name - qualified, as written; `''` for an anonymous type
   * @param readDefinition - the hash of `Object[{...}]`, evaluated; absent for the type of all objects
   */
  constructor(name: string, readDefinition: () => PuppetHash | undefined) {
    super();
    this.givenName = name;
    this.readDefinition = readDefinition;
  }

  /** @throws PuppetError when the definition breaks a rule */
  get definition(): ObjectDefinition {
    if (this.known === undefined) {
      const hash = this.readDefinition();
      this.known = defineObject(this, hash);
    }
    return this.known;
  }

  override get name(): string {
    return this.label;
  }
  /** The name in messages. */
  get label(): string {
    if (this.givenName !== '') return this.givenName;
    return this.known?.name ?? 'Object';
  }

  get parent(): ObjectType | undefined {
    let parent = this.definition.parent;
    while (parent instanceof AliasType) parent = parent.resolved;
    if (parent instanceof TypeReferenceType)
      throw fault(`reference to unresolved type '${parent.typeString}'`);
    return parent instanceof ObjectType ? parent : undefined;
  }

  /** All attributes, inherited ones first. */
  get attributes(): ReadonlyMap<string, ObjectAttribute> {
    return this.definition.allAttributes;
  }
  get functions(): ReadonlyMap<string, ObjectFunction> {
    return this.definition.allFunctions;
  }
  get typeParameters(): ReadonlyMap<string, ObjectAttribute> {
    return this.definition.allTypeParameters;
  }
  get equalityAttributes(): readonly string[] {
    return this.definition.equalityAttributes;
  }
  get isTypeInEquality(): boolean {
    return this.definition.isTypeInEquality;
  }

  /** The attributes that a constructor takes, those without a default first. */
  get parameters(): readonly ObjectAttribute[] {
    const given = [...this.attributes.values()].filter(
      (attribute) => attribute.kind !== 'constant' && attribute.kind !== 'derived',
    );
    const isRequired = (attribute: ObjectAttribute): boolean => attribute.value === undefined;
    return [...given.filter(isRequired), ...given.filter((attribute) => !isRequired(attribute))];
  }

  /** The hash that a constructor takes. */
  get initHashType(): StructType {
    const elements = [...this.attributes.values()]
      .filter((attribute) => attribute.kind !== 'constant' && attribute.kind !== 'derived')
      .map((attribute) => new StructElement(attribute.name, attribute.type, mayBeAbsent(attribute)));
    return new StructType(elements);
  }

  isInstance(value: Value): boolean {
    if (value instanceof PuppetType) return this === ObjectType.DEFAULT; // types are objects, too
    return value instanceof ObjectInstance && this.acceptsObject(value.type);
  }
  accepts(other: PuppetType): boolean {
    if (other instanceof ObjectExtensionType) return this.acceptsObject(other.base);
    return other instanceof ObjectType && this.acceptsObject(other);
  }
  private acceptsObject(other: ObjectType): boolean {
    if (this === ObjectType.DEFAULT) return true;
    for (let type: ObjectType | undefined = other; type !== undefined; type = type.parent) {
      if (type === this || this.equals(type)) return true;
    }
    return false;
  }

  /** The type of an instance: with parameters when the type has some. */
  typeOf(instance: ObjectInstance): PuppetType {
    if (this.typeParameters.size === 0) return this;
    const values = [...this.typeParameters.keys()].map((name): readonly [string, Value] => [
      name,
      instance.attribute(name) ?? null,
    ]);
    return new ObjectExtensionType(this, new Map(values));
  }

  render(style: TypeStyle): string {
    if (!style.isExpanded) return style.within?.nameFor(this) ?? this.label;
    return `Object[${renderDefinition(this, style)}]`;
  }
  override toString(): string {
    return this.toExpandedString();
  }
  override equalityKey(): string {
    if (this.givenName !== '') return `Object:${this.givenName}`;
    return this === ObjectType.DEFAULT ? 'Object' : `Object:${this.toExpandedString()}`;
  }
}

/** An Object type whose type parameters are given: `Error['kind']`. */
export class ObjectExtensionType extends PuppetType {
  readonly kind = 'ObjectTypeExtension';
  readonly base: ObjectType;
  readonly parameters: ReadonlyMap<string, Value>;

  constructor(base: ObjectType, parameters: ReadonlyMap<string, Value>) {
    super();
    this.base = base;
    this.parameters = parameters;
  }
  override get name(): string {
    return this.base.name;
  }
  isInstance(value: Value): boolean {
    if (!this.base.isInstance(value) || !(value instanceof ObjectInstance)) return false;
    for (const [name, wanted] of this.parameters) {
      const attribute = value.attribute(name);
      if (attribute === undefined || !matches(attribute, wanted)) return false;
    }
    return true;
  }
  accepts(other: PuppetType): boolean {
    if (!(other instanceof ObjectExtensionType) || !this.base.isAssignable(other.base)) return false;
    for (const [name, wanted] of this.parameters) {
      const given = other.parameters.get(name);
      if (given === undefined) return false;
      const isNarrower =
        given instanceof PuppetType && wanted instanceof PuppetType && wanted.isAssignable(given);
      if (!matches(given, wanted) && !isNarrower) return false;
    }
    return true;
  }
  override generalize(): PuppetType {
    return this.base;
  }
  render(): string {
    const names = [...this.base.typeParameters.keys()];
    if (names.length > 2) {
      const entries = [...this.parameters].map(
        ([name, value]) => `${puppetQuote(name)} => ${programText(value)}`,
      );
      return `${this.base.name}[{${entries.join(', ')}}]`;
    }
    const values = names.map((name) => this.parameters.get(name));
    while (values.at(-1) === undefined && values.length > 0) values.pop();
    return `${this.base.name}[${values.map((value) => (value === undefined ? 'default' : programText(value))).join(', ')}]`;
  }
}

function renderDefinition(type: ObjectType, style: TypeStyle): string {
  const inner: TypeStyle = { ...style, isExpanded: false };
  const { definition } = type;
  const parts: string[] = [];
  if (type.label !== 'Object' && style.within?.nameFor(type) === undefined)
    parts.push(`name => ${puppetQuote(type.label)}`);
  if (definition.parent !== undefined) parts.push(`parent => ${definition.parent.render(inner)}`);
  const sections = [
    [
      'type_parameters',
      [...definition.typeParameters.values()].map((member) => renderMember(member, inner, true)),
    ],
    ['attributes', definition.plainAttributes.map((member) => renderMember(member, inner, false))],
    [
      'constants',
      definition.constants.map(
        (member) => `${puppetQuote(member.name)} => ${programText(member.value ?? null)}`,
      ),
    ],
    ['functions', [...definition.functions.values()].map((member) => renderFunction(member, inner))],
  ] as const;
  for (const [name, members] of sections) {
    if (members.length > 0) parts.push(`${name} => {${members.join(', ')}}`);
  }
  if (definition.equality !== undefined) {
    parts.push(`equality => [${definition.equality.map((name) => puppetQuote(name)).join(', ')}]`);
  }
  return `{${parts.join(', ')}}`;
}

function renderMember(member: ObjectAttribute, style: TypeStyle, isParameter: boolean): string {
  const type = isParameter ? (member.type.parts()[0] ?? member.type) : member.type;
  const details: string[] = [];
  if (member.isFinal && member.kind !== 'constant') details.push('final => true');
  if (member.isOverride) details.push('override => true');
  if (member.kind !== undefined) details.push(`kind => ${member.kind}`);
  if (member.value !== undefined && !isParameter) details.push(`value => ${programText(member.value)}`);
  const text = type.render(style);
  return `${puppetQuote(member.name)} => ${details.length === 0 ? text : `{${[`type => ${text}`, ...details].join(', ')}}`}`;
}

function renderFunction(member: ObjectFunction, style: TypeStyle): string {
  const details = [
    ...(member.isFinal ? ['final => true'] : []),
    ...(member.isOverride ? ['override => true'] : []),
  ];
  const text = member.type.render(style);
  return `${puppetQuote(member.name)} => ${details.length === 0 ? text : `{${[`type => ${text}`, ...details].join(', ')}}`}`;
}

/** Types that stand in a catalog, and references to types that are not known: Class, Resource, TypeReference. */

import { PuppetType } from '../puppet-type.ts';
import type { Value } from '../value.ts';
import { puppetQuote } from '../values/quote.ts';

/** `Class` or `Class['apache']`; also a reference to the class. */
export class ClassType extends PuppetType {
  static readonly DEFAULT: ClassType = new ClassType();
  readonly kind = 'Class';
  /** Lower case, without leading `::`. */
  readonly className: string | undefined;
  constructor(className?: string) {
    super();
    this.className = className;
  }
  isInstance(_value: Value): boolean {
    return false;
  }
  accepts(other: PuppetType): boolean {
    return other instanceof ClassType && (this.className === undefined || this.className === other.className);
  }
  render(): string {
    return this.className === undefined ? 'Class' : `Class[${this.className}]`;
  }
}

/** `Resource`, `File` (the same as `Resource['file']`) or a reference such as `File['/tmp']`. */
export class ResourceType extends PuppetType {
  static readonly DEFAULT: ResourceType = new ResourceType();
  readonly kind = 'Resource';
  /** Each segment with a capital: `Foo::Bar`. Compare by `typeKey`. */
  readonly typeName: string | undefined;
  readonly title: string | undefined;
  /** The type's name in lower case. */
  readonly typeKey: string | undefined;

  constructor(typeName?: string, title?: string) {
    super();
    this.typeName = typeName === undefined ? undefined : capitalizeSegments(typeName);
    this.typeKey = typeName?.toLowerCase();
    this.title = title;
  }
  isInstance(_value: Value): boolean {
    return false;
  }
  accepts(other: PuppetType): boolean {
    if (!(other instanceof ResourceType)) return false;
    if (this.typeKey === undefined) return true;
    return this.typeKey === other.typeKey && (this.title === undefined || this.title === other.title);
  }
  render(): string {
    if (this.typeName === undefined) return 'Resource';
    return this.title === undefined ? this.typeName : `${this.typeName}[${puppetQuote(this.title)}]`;
  }
  override equalityKey(): string {
    return `Resource:${this.typeKey ?? ''}${this.title === undefined ? '' : `[${this.title}]`}`;
  }
}

/** `foo::bar` as `Foo::Bar`; a name that begins with a capital stays as it is. */
export function capitalizeSegments(name: string): string {
  const first = name.charCodeAt(0);
  if (first >= 65 && first <= 90) return name;
  return name
    .split('::')
    .map((segment) => segment.charAt(0).toUpperCase() + segment.slice(1).toLowerCase())
    .join('::');
}

/** An unknown type, as written. It has no instances. */
export class TypeReferenceType extends PuppetType {
  static readonly DEFAULT: TypeReferenceType = new TypeReferenceType('UnresolvedReference');
  readonly kind = 'TypeReference';
  readonly typeString: string;
  constructor(typeString: string) {
    super();
    this.typeString = typeString;
  }
  isInstance(_value: Value): boolean {
    return false;
  }
  accepts(other: PuppetType): boolean {
    return other instanceof TypeReferenceType && other.typeString === this.typeString;
  }
  render(): string {
    return `TypeReference[${puppetQuote(this.typeString)}]`;
  }
}

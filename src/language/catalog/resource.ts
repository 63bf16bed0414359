/** A resource while its catalog is being built. */

import { PuppetHash, plainText, type Value } from '../pcore/index.ts';
import { hasAttribute, metaparameters } from './core-resource-types.ts';
import type { ResourceTypeInfo } from './resource-type.ts';
import { TagSet } from './tag-set.ts';
import { parseTitle } from './title-pattern.ts';

/** Whose code declared something: decides who may override it. Compared by identity. */
export interface ResourceSource {
  /** Name of the class, defined type or node; `''` for the main manifest. */
  readonly name: string;
}

/** One attribute as it was set. */
export interface ResourceParameter {
  readonly name: string;
  readonly value: Value;
  readonly source: ResourceSource | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  /** Set with `+>`. */
  readonly isAddition?: boolean;
}

export type ResourceKind = 'class' | 'defined_type' | 'compilable_type' | 'unknown';

export interface ResourceOptions<Scope> {
  /** Spelled as in catalogs: `Apache::Vhost`. */
  readonly type: string;
  readonly title: string;
  readonly kind: ResourceKind;
  /** Of a native type. */
  readonly typeInfo?: ResourceTypeInfo | undefined;
  readonly scope: Scope;
  readonly source: ResourceSource | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  /** The title where it is not text: functions can give a number, which `$title` is then. */
  readonly titleValue?: Value | undefined;
  readonly isVirtual?: boolean;
  readonly isExported?: boolean;
}

/** `Scope` is whatever the compiler keeps for the place of the declaration; catalogs do not look at it. */
export class Resource<Scope = unknown> {
  readonly type: string;
  readonly title: string;
  readonly kind: ResourceKind;
  readonly typeInfo: ResourceTypeInfo | undefined;
  readonly scope: Scope;
  readonly source: ResourceSource | undefined;
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly parameters = new Map<string, ResourceParameter>();
  readonly sensitiveParameters: string[] = [];
  readonly tags = new TagSet();
  /** `undefined` when the title is text. */
  readonly titleValue: Value | undefined;
  isVirtual: boolean;
  isExported: boolean;
  isEvaluated = false;
  isFinished = false;
  /** What identifies the exported resource of another node; absent on our own. */
  collectorId: string | undefined;
  private parsedTitle: ReadonlyMap<string, string | null> | undefined;

  constructor(options: ResourceOptions<Scope>) {
    this.type = options.type;
    this.title = options.title;
    this.kind = options.kind;
    this.typeInfo = options.typeInfo;
    this.scope = options.scope;
    this.source = options.source;
    this.file = options.file;
    this.line = options.line;
    this.titleValue = options.titleValue;
    this.isExported = options.isExported ?? false;
    this.isVirtual = this.isExported || (options.isVirtual ?? false);
  }

  /** `File[/etc/motd]` */
  get reference(): string {
    return `${this.type}[${this.title}]`;
  }

  /** What the title says. @throws PuppetError when no pattern of the type matches */
  get titleAttributes(): ReadonlyMap<string, string | null> {
    this.parsedTitle ??= parseTitle(this.typeInfo, this.title);
    return this.parsedTitle;
  }

  get isClass(): boolean {
    return this.type === 'Class';
  }

  /** The value of an attribute; `undefined` when it is not set or set to undef. */
  value(name: string): Value | undefined {
    return this.parameters.get(name)?.value ?? undefined;
  }

  /** Sets an attribute; `tag` also tags the resource. */
  setParameter(parameter: ResourceParameter): void {
    if (parameter.name === 'tag') this.tagWith(parameter.value);
    this.parameters.set(parameter.name, parameter);
  }

  /** Adds what the metaparameter `tag` says. */
  tagWith(value: Value): void {
    // The reference hands the value over as a list of arguments, which makes pairs of a hash.
    for (const tag of flatten(value instanceof PuppetHash ? Array.from(value, (pair) => [...pair]) : value)) {
      if (tag !== null) this.tags.add(plainText(tag), this);
    }
  }

  /** Tags every resource has: its type and, where it can be one, its title. */
  tagWithName(): void {
    this.tags.add(this.type, this);
    if (this.titleValue === undefined) this.tags.addIfValid(this.title);
  }

  /** Whether a native resource has the attribute; other kinds are checked against their parameters. */
  acceptsNativeAttribute(name: string): boolean {
    return this.typeInfo === undefined ? metaparameters.has(name) : hasAttribute(this.typeInfo, name);
  }
}

function* flatten(value: Value): Iterable<Value> {
  if (!Array.isArray(value)) {
    yield value;
    return;
  }
  for (const item of value as readonly Value[]) yield* flatten(item);
}

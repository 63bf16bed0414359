/** The place that code belongs to: top, a node, a class or a defined resource. */

import type { Resource, ResourceParameter } from '../../catalog/index.ts';
import type { Value } from '../../pcore/index.ts';
import type { Compiler } from '../compiler.ts';
import type { CodeSource } from '../definitions/code-source.ts';
import { Frame, type MatchGroups } from './frame.ts';
import { Layout } from './layout.ts';

export type ScopeKind = 'top' | 'node' | 'class' | 'define';
export type CompiledResource = Resource<Scope>;

export interface ScopeOptions {
  readonly kind: ScopeKind;
  readonly compiler: Compiler;
  /** Where it was declared from; resource defaults come from there. */
  readonly parent: Scope | undefined;
  /** The scope of the inherited class. */
  readonly inherited?: Scope | undefined;
  readonly source: CodeSource;
  readonly layout: Layout;
  /** Whose code it is; the top scope gets its own when the main class has been made. */
  readonly resource?: CompiledResource;
}

export class Scope {
  readonly kind: ScopeKind;
  readonly compiler: Compiler;
  readonly parent: Scope | undefined;
  readonly inherited: Scope | undefined;
  readonly source: CodeSource;
  readonly frame: Frame;
  /** The frame of the code that is running: ours, or that of a lambda or template in it. */
  current: Frame;
  resource: CompiledResource | undefined;
  /** Few scopes have any. */
  private ownDefaults: Map<string, Map<string, ResourceParameter>> | undefined;

  constructor(options: ScopeOptions) {
    this.kind = options.kind;
    this.compiler = options.compiler;
    this.parent = options.parent;
    this.inherited = options.inherited;
    this.source = options.source;
    this.resource = options.resource;
    this.frame = new Frame(this, options.layout, undefined);
    this.current = this.frame;
  }

  /** Whose variables are visible here besides our own: the inherited class, then the node, then top. */
  get enclosing(): Scope | undefined {
    if (this.inherited !== undefined) return this.inherited;
    let scope = this.parent;
    while (scope !== undefined && scope.kind !== 'top' && scope.kind !== 'node') scope = scope.parent;
    return scope;
  }

  /** The scope of functions and templates called here: the node's or top. */
  get global(): Scope {
    return this.kind === 'top' || this.kind === 'node' ? this : (this.enclosing?.global ?? this);
  }

  /**
   * A variable that is not one of our own. The enclosing scope is seen as it is at this moment: when a lambda
   * of it is running, with the variables of the lambda.
   */
  findOutside(name: string): Value | undefined {
    return this.enclosing?.current.find(name);
  }

  readOutside(name: string): Value | undefined {
    return this.enclosing?.current.read(name);
  }

  /** What the last match around us captured. */
  get outsideMatch(): MatchGroups | undefined {
    const { enclosing } = this;
    return enclosing === undefined ? undefined : (enclosing.current.match ?? enclosing.outsideMatch);
  }

  /** `Type { attribute => value }` as written in this scope. @returns false when the attribute has one already */
  addDefault(type: string, parameter: ResourceParameter): boolean {
    this.ownDefaults ??= new Map();
    let defaults = this.ownDefaults.get(type);
    if (defaults === undefined) this.ownDefaults.set(type, (defaults = new Map()));
    if (defaults.has(parameter.name)) return false;
    defaults.set(parameter.name, parameter);
    return true;
  }

  /** Defaults in force here, outer ones first; `undefined` when there are none. */
  defaultsFor(type: string): ReadonlyMap<string, ResourceParameter> | undefined {
    const inherited = this.parent?.defaultsFor(type);
    const own = this.ownDefaults?.get(type);
    if (own === undefined || inherited === undefined) return own ?? inherited;
    return new Map([...inherited, ...own]);
  }

  /** Some default in force here gives the attribute exactly this value. */
  isDefault(type: string, name: string, isSame: (value: Value) => boolean): boolean {
    const own = this.ownDefaults?.get(type)?.get(name);
    if (own !== undefined && isSame(own.value)) return true;
    return this.parent?.isDefault(type, name, isSame) ?? false;
  }
}

/** For code that has no variables of its own. */
export const EMPTY_LAYOUT: Layout = new Layout();

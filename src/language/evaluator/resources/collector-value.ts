/** What `Type <| |>` evaluates to, and what `realize` leaves behind: something that collects until the end. */

import type { ResourceParameter } from '../../catalog/index.ts';
import { OpaqueValue, type PuppetType, RuntimeType, type Value } from '../../pcore/index.ts';
import type { CodeSource } from '../definitions/code-source.ts';
import type { CompiledResource, Scope } from '../runtime/scope.ts';

export interface CollectorOverrides {
  readonly parameters: readonly ResourceParameter[];
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly source: CodeSource;
  readonly scope: Scope;
}

export abstract class Collector extends OpaqueValue {
  /** What was collected so far, by reference. */
  readonly collected = new Map<string, CompiledResource>();
  /** The left side of a relationship, used when nothing was collected. */
  emptyAlternative: readonly Value[] | undefined;

  equalityKey(): string {
    return `Collector:${this.toString()}`;
  }

  /** What the reference calls the collector; types print it. */
  protected abstract readonly rubyClass: string;

  override inferType(): PuppetType {
    return new RuntimeType('ruby', `Puppet::Pops::Evaluator::Collectors::${this.rubyClass}`);
  }

  /** Looks once. @returns true when something new was found */
  abstract evaluate(): boolean;

  /** References that should have been found but were not. */
  unresolved(): readonly string[] {
    return [];
  }
}

/** One lookup under way: whose variables it sees, what it overrides, which keys it is looking for. */

import type { PuppetHash, Value } from '../pcore/index.ts';
import { PuppetError } from '../syntax/index.ts';
import { LookupArgumentError, LookupError } from './lookup-error.ts';
import type { KeySegment, LookupKey } from './lookup-key.ts';
import type { LookupInvocation, LookupScope } from './lookup-request.ts';
import type { Trace, TraceLabel } from './trace.ts';

/** What nested lookups of one compile share. */
export interface LookupStack {
  /** Keys and variables that are being resolved, outermost first. */
  readonly names: string[];
  /** The run that is under way; lookups that start within it inherit its layers. */
  current: LookupRun | undefined;
}

export interface LookupRunOptions {
  readonly invocation: LookupInvocation;
  readonly scope: LookupScope;
  readonly stack: LookupStack;
  readonly trace: Trace | undefined;
  readonly isGlobalOnly: boolean;
  /** What an undefined variable is: nothing, a warning or an error. */
  readonly strict: 'off' | 'warning' | 'error';
  /** Whether an undefined variable is never more than a warning. */
  readonly toleratesUndefined?: boolean;
  readonly overrides?: PuppetHash | undefined;
  readonly defaults?: PuppetHash | undefined;
}

/** A variable that `hiera.yaml` was resolved with. */
export interface ScopeInterpolation {
  readonly rootKey: string;
  readonly key: string;
  /** What follows the root key. */
  readonly segments: readonly KeySegment[];
  readonly value: Value;
}

export class LookupRun {
  readonly invocation: LookupInvocation;
  readonly scope: LookupScope;
  readonly stack: LookupStack;
  readonly trace: Trace | undefined;
  readonly isGlobalOnly: boolean;
  readonly strict: 'off' | 'warning' | 'error';
  readonly toleratesUndefined: boolean;
  readonly overrides: PuppetHash | undefined;
  readonly defaults: PuppetHash | undefined;
  /** Set while `hiera.yaml` is resolved: the top-scope variables that it depends on. */
  readonly interpolations: Map<string, ScopeInterpolation> | undefined;
  /** The key that was asked for. */
  topKey = '';
  /** The module that is searched besides the global layer and the environment. */
  moduleName: string | undefined;

  constructor(options: LookupRunOptions, interpolations?: Map<string, ScopeInterpolation>) {
    this.invocation = options.invocation;
    this.scope = options.scope;
    this.stack = options.stack;
    this.trace = options.trace;
    this.isGlobalOnly = options.isGlobalOnly;
    this.strict = options.strict;
    this.toleratesUndefined = options.toleratesUndefined ?? false;
    this.overrides = options.overrides;
    this.defaults = options.defaults;
    this.interpolations = interpolations;
  }

  /** A run for another purpose with the same surroundings. */
  derive(changes: Partial<LookupRunOptions>, interpolations?: Map<string, ScopeInterpolation>): LookupRun {
    const { invocation, scope, stack, trace, isGlobalOnly, strict, toleratesUndefined, overrides, defaults } =
      this;
    const same = { invocation, scope, stack, trace, isGlobalOnly, strict, toleratesUndefined };
    return new LookupRun({ ...same, overrides, defaults, ...changes }, interpolations);
  }

  /** Makes this the current run while `search` goes on. */
  lookup<T>(key: LookupKey, moduleName: string | undefined, search: () => T): T {
    const { stack } = this;
    this.topKey = key.text;
    this.moduleName = moduleName ?? key.moduleName;
    const before = stack.current;
    stack.current = this;
    try {
      return search();
    } finally {
      stack.current = before;
    }
  }

  /**
   * Guards against endless recursion, and makes every error on the way a `LookupError`.
   *
   * @throws LookupError when `name` is being resolved already
   */
  check<T>(name: string, search: () => T): T {
    const { names } = this.stack;
    if (names.includes(name)) throw new LookupError(`Recursive lookup detected in [${names.join(', ')}]`);
    names.push(name);
    try {
      return search();
    } catch (error) {
      throw asLookupError(error);
    } finally {
      names.pop();
    }
  }

  within<T>(label: TraceLabel, run: () => T): T {
    return this.trace === undefined ? run() : this.trace.within(label, run);
  }
}

/** Errors that are no `Puppet::Error` in the reference: what Ruby itself raises goes through lookups as it is. */
const BARE: ReadonlySet<string> = new Set(['argument_error', 'standard_error']);

function asLookupError(error: unknown): unknown {
  if (!(error instanceof PuppetError)) return error;
  if (error instanceof LookupError || error instanceof LookupArgumentError) return error;
  return BARE.has(error.diagnostic.code) ? error : new LookupError(error.message, { cause: error });
}

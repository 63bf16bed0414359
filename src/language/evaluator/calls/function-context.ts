/** What a built-in function is given: the world as seen from the place of the call. */

import type { DisableableWarning, Environment, Module } from '../../environment/index.ts';
import {
  BreakSignal,
  type CallContext,
  type CatalogView,
  type EppSource,
  type ErbSource,
  type Lambda,
  type LogLevel,
  type LookupRequest,
  type Outside,
  type ScopeView,
} from '../../functions/index.ts';
import type { EyamlDecryptor } from '../../hiera/index.ts';
import { type PuppetHash, type PuppetType, parseType, type Value } from '../../pcore/index.ts';
import type { Position } from '../../syntax/index.ts';
import type { Compiler } from '../compiler.ts';
import { evaluateEpp } from '../epp.ts';
import { NextSignal, ReturnSignal } from '../runtime/control-flow.ts';
import { callFunction, isFunctionKnown } from './call-function.ts';
import { type CallSite, callPosition } from './call-site.ts';
import { CatalogAccess } from './catalog-view.ts';
import { evaluateErb } from './erb-evaluation.ts';
import { FrameView } from './scope-view.ts';

export class FunctionContext implements CallContext {
  private readonly site: CallSite;
  private readonly user: Module | undefined;
  private readonly compiler: Compiler;

  /** @param user - the module of a function in Ruby that calls others; functions of the language call the environment's */
  constructor(site: CallSite, user?: Module) {
    this.site = site;
    this.user = user;
    this.compiler = site.frame.scope.compiler;
  }

  get environment(): Environment {
    return this.compiler.environment;
  }

  get scope(): ScopeView {
    return new FrameView(this.site.frame);
  }

  get catalog(): CatalogView {
    return new CatalogAccess(this.site);
  }

  get position(): Position {
    return callPosition(this.site);
  }

  get certname(): string {
    return this.compiler.request.certname;
  }

  get outside(): Outside {
    return this.compiler.request.termini.outside;
  }

  get eyaml(): EyamlDecryptor | undefined {
    return this.compiler.request.termini.eyaml;
  }

  callFunction(name: string, args: readonly Value[], block?: Lambda): Value {
    return callFunction({ name, args, block, user: this.user }, this.site);
  }

  isFunctionKnown(name: string): boolean {
    return isFunctionKnown(name, this.compiler);
  }

  resolveType(text: string): PuppetType {
    return parseType(text, this.compiler.lookups.typeResolver);
  }

  log(level: LogLevel, message: string): void {
    this.compiler.log(level, message);
  }

  warnOnce(key: string, message: string, kind?: 'unique' | 'deprecation', type?: DisableableWarning): void {
    this.compiler.warnOnce(key, message, kind, type);
  }

  lookup(request: LookupRequest): Value {
    return this.compiler.lookups.lookup(request, this.site.frame);
  }

  evaluateEpp(source: EppSource, parameters: PuppetHash | undefined): Value {
    return evaluateEpp(source, parameters, this.site.frame);
  }

  evaluateErb(source: ErbSource): string {
    return evaluateErb(source, this.site);
  }

  controlFlow(kind: 'return' | 'break' | 'next', value: Value): never {
    const { position } = this;
    switch (kind) {
      case 'break':
        throw new BreakSignal(position);
      case 'next':
        throw new NextSignal(value, position);
      case 'return':
        throw new ReturnSignal(value, position);
    }
  }
}

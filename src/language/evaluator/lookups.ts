/** Lookups of one compile, and the types that are known in its environment. */

import type { Module } from '../environment/index.ts';
import {
  type Explainer,
  HieraLookup,
  type LookupInvocation,
  type LookupRequest,
  type LookupScope,
} from '../hiera/index.ts';
import { PuppetHash, type PuppetType, parseType, type TypeResolver, type Value } from '../pcore/index.ts';
import { callFromNowhere } from './calls/call-from-nowhere.ts';
import { callFunction, isFunctionKnown, returnTypesOf } from './calls/call-function.ts';
import { findVariable, whyMissing } from './calls/scope-view.ts';
import type { ClassifiedNode } from './compile-request.ts';
import type { Compiler } from './compiler.ts';
import { typesOf } from './definitions/type-names.ts';
import { fromJson } from './json-values.ts';
import type { Frame } from './runtime/frame.ts';
import type { Scope } from './runtime/scope.ts';

export class Lookups {
  private readonly compiler: Compiler;
  private hiera: HieraLookup | undefined;

  constructor(compiler: Compiler) {
    this.compiler = compiler;
  }

  get typeResolver(): TypeResolver {
    return this.compiler.environment.attached(typesOf).resolver;
  }

  lookup(request: LookupRequest, frame: Frame): Value {
    const { profile } = this.compiler.request;
    const find = (): Value => this.engine().lookup(request, scopeOf(frame));
    return profile === undefined ? find() : profile.measure('lookup', request.names.join(', '), find);
  }

  /** Automatic parameter lookup; `undefined` when data has nothing. */
  classParameter(className: string, parameter: string, scope: Scope): Value | undefined {
    const { profile } = this.compiler.request;
    const find = (): Value | undefined =>
      this.engine().lookupClassParameter(className, parameter, scopeOf(scope.frame));
    return profile === undefined ? find() : profile.measure('lookup', `${className}::${parameter}`, find);
  }

  /** @throws PuppetError when the text is no type */
  parseType(text: string): PuppetType {
    return parseType(text, this.typeResolver);
  }

  /** Answers a question that is no part of the compile, and comes after it. */
  ask(request: LookupRequest, explainer: Explainer | undefined): Value {
    const invocation = { ...this.invocation(), ...(explainer === undefined ? {} : { explainer }) };
    return new HieraLookup(this.compiler.environment, invocation, this.hiera).lookup(request);
  }

  private engine(): HieraLookup {
    this.hiera ??= new HieraLookup(this.compiler.environment, this.invocation());
    return this.hiera;
  }

  private module(name: string | undefined): Module | undefined {
    return name === undefined ? undefined : this.compiler.environment.modules.get(name);
  }

  private invocation(): LookupInvocation {
    const { compiler } = this;
    return {
      findVariable: (name) => findVariable(compiler.topScope.frame, name),
      whyMissing: (name) => whyMissing(compiler, name),
      callFunction: (name, args) => callFunction({ name, args }, callFromNowhere(compiler)),
      callBackend: (name, args, moduleName) =>
        callFunction(
          { name, args, user: this.module(moduleName), isForKey: true },
          callFromNowhere(compiler),
        ),
      isFunctionKnown: (name) => isFunctionKnown(name, compiler),
      returnTypesOf: (name, moduleName) =>
        returnTypesOf(name, this.module(moduleName), callFromNowhere(compiler)),
      resolveType: (text) => this.parseType(text),
      log: (level, message) => compiler.log(level, message),
      warnOnce: (key, message, type) => compiler.warnOnce(key, message, 'unique', type),
      ...classifierData(compiler.request.node),
      ...(compiler.request.termini.eyaml === undefined ? {} : { eyaml: compiler.request.termini.eyaml }),
    };
  }
}

function classifierData({ configData }: ClassifiedNode): Pick<LookupInvocation, 'classifierData'> {
  if (configData === undefined) return {};
  const entries = Object.entries(configData).flatMap(([className, parameters]) =>
    Object.entries(parameters).map(
      ([parameter, value]) => [`${className}::${parameter}`, fromJson(value)] as const,
    ),
  );
  return { classifierData: new PuppetHash(entries) };
}

function scopeOf(frame: Frame): LookupScope {
  return {
    findVariable: (name) => findVariable(frame, name),
    whyMissing: (name) => whyMissing(frame.scope.compiler, name),
  };
}

/** Evaluating code that compiles no catalog: plans, with functions and types of their own. */

import { Catalog } from '../catalog/index.ts';
import type { Environment, Found } from '../environment/index.ts';
import type { BuiltinFunction, Lambda } from '../functions/index.ts';
import type { PuppetHash, PuppetType, TypeResolver, Value } from '../pcore/index.ts';
import type { PlanDefinition, Position } from '../syntax/index.ts';
import { callFromNowhere } from './calls/call-from-nowhere.ts';
import { callFunction } from './calls/call-function.ts';
import { callPosition } from './calls/call-site.ts';
import type { CompileRequest } from './compile-request.ts';
import { Compiler } from './compiler.ts';
import { Code, codeOf } from './definitions/code.ts';
import { TypeNames, typesOf } from './definitions/type-names.ts';
import { ReturnSignal } from './runtime/control-flow.ts';
import { illegalJump } from './runtime/illegal-jump.ts';
import { Scope } from './runtime/scope.ts';

/** An environment for one script: nothing has been evaluated in it before. */
export interface ScriptRequest extends Pick<CompileRequest, 'termini' | 'log' | 'isOutOfMemory'> {
  readonly environment: Environment;
  /** By name; they come before those of the language. */
  readonly functions: ReadonlyMap<string, BuiltinFunction>;
  readonly types: TypeResolver;
}

/** Gives an environment functions and types besides those of the language, before anything is evaluated in it. */
export function extendLanguage(
  environment: Environment,
  { functions, types }: Pick<ScriptRequest, 'functions' | 'types'>,
): void {
  environment.attach(codeOf, new Code(environment, functions));
  environment.attach(typesOf, new TypeNames(environment, types));
}

export interface PlanParameter {
  readonly name: string;
  readonly type: PuppetType;
  readonly isOptional: boolean;
}

export class Script {
  private readonly compiler: Compiler;

  constructor({ functions, types, ...rest }: ScriptRequest) {
    const { environment } = rest;
    extendLanguage(environment, { functions, types });
    const catalog: Catalog<Scope> = new Catalog({
      name: '',
      environment: environment.name,
      version: environment.config.configVersion,
      codeId: environment.config.codeId,
      catalogUuid: '',
      findType: () => undefined,
    });
    this.compiler = new Compiler({ ...rest, ...NO_NODE }, catalog);
  }

  parameters(plan: Found<PlanDefinition>): readonly PlanParameter[] {
    const { frame } = this.compiler.topScope;
    return this.compiler.code.plan(plan).parameters.map((parameter) => ({
      name: parameter.name,
      type: parameter.type(frame),
      isOptional: parameter.isOptional,
    }));
  }

  /**
   * Runs a plan. Its value is what `return()` gives; undef without one.
   *
   * @throws PuppetError for mistakes in the code, its parameters included, and whatever functions throw
   */
  callPlan(plan: Found<PlanDefinition>, parameters: PuppetHash): Value {
    const { compiler } = this;
    compiler.enter();
    try {
      compiler.code.plan(plan).callNamed(parameters, compiler.topScope, compiler.topScope.frame);
      return null;
    } catch (signal) {
      if (signal instanceof ReturnSignal) return signal.value;
      throw illegalJump(signal) ?? signal;
    } finally {
      compiler.leave();
    }
  }

  /** Calls a function from the top scope. */
  callFunction(name: string, args: readonly Value[]): Value {
    return callFunction({ name, args }, callFromNowhere(this.compiler));
  }

  /** Where the innermost call stands that has not ended; nothing outside of all calls. */
  get position(): Position {
    const site = this.compiler.callers.at(-1);
    if (site === undefined) return {};
    return 'frame' in site ? callPosition(site) : site;
  }

  /** Calls a block that may be called again from elsewhere. A `return()` in it is its value. */
  callBlock(block: Lambda, args: readonly Value[]): Value {
    const { callers } = this.compiler;
    const depth = callers.length;
    try {
      return block.call(args);
    } catch (signal) {
      if (signal instanceof ReturnSignal) return signal.value;
      throw illegalJump(signal) ?? signal;
    } finally {
      callers.length = depth;
    }
  }
}

/** Plans are about no node. */
const NO_NODE = {
  certname: '',
  facts: {},
  trusted: { authenticated: false, certname: '', extensions: {}, external: {} },
  serverFacts: {},
  node: { classes: {}, parameters: {} },
} as const;

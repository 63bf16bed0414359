/** All the code of one version of an environment, each definition lowered when it is first used. */

import { canonicalTypeName } from '../../catalog/index.ts';
import type { AttachmentKey, Environment, Found, Module } from '../../environment/index.ts';
import {
  type BuiltinFunction,
  builtinFunction,
  type PreparedFunction,
  prepareFunction,
} from '../../functions/index.ts';
import { RegexpValue } from '../../pcore/index.ts';
import type {
  Expression,
  FunctionDefinition,
  HostClassDefinition,
  LiteralRegularExpression,
  NodeDefinition,
  PlanDefinition,
  Program,
  ResourceTypeDefinition,
} from '../../syntax/index.ts';
import { lower } from '../lower/lower.ts';
import { type Evaluate, LowerContext } from '../lower/lower-context.ts';
import { EMPTY_LAYOUT } from '../runtime/scope.ts';
import { Unit } from '../runtime/unit.ts';
import { LoweredCallable } from './callable.ts';
import { CodeSource } from './code-source.ts';
import { LoweredBody } from './lowered-body.ts';

type BodyDefinition = HostClassDefinition | ResourceTypeDefinition | NodeDefinition;

/** The code of one file of the main manifest. */
export interface MainBody {
  readonly evaluate: Evaluate;
  readonly file: string;
}

export class Code {
  readonly environment: Environment;
  private readonly units = new Map<Program, Unit>();
  private readonly bodies = new Map<BodyDefinition, LoweredBody>();
  private readonly functions = new Map<FunctionDefinition | PlanDefinition, LoweredCallable>();
  private readonly topBodies = new Map<Program, MainBody>();
  private readonly patterns = new Map<LiteralRegularExpression, RegexpValue>();
  private readonly typeNames = new Map<string, string>();
  private readonly builtins = new Map<string, PreparedFunction>();
  private readonly added: ReadonlyMap<string, BuiltinFunction> | undefined;
  private mainFunctions: ReadonlySet<string> | undefined;
  private mainBodies: readonly MainBody[] | undefined;

  /** @param added - functions that are known besides those of the language, and before them */
  constructor(environment: Environment, added?: ReadonlyMap<string, BuiltinFunction>) {
    this.environment = environment;
    this.added = added;
  }

  findClass(name: string): LoweredBody | undefined {
    const found = this.environment.findClass(name);
    if (found === undefined) return undefined;
    const { definition } = found;
    return this.body(found, () => {
      const parent = definition.parentClass?.replace(/^::/, '').toLowerCase();
      return new CodeSource('class', definition.name, found.module?.name ?? '', parent);
    });
  }

  findDefine(name: string): LoweredBody | undefined {
    const found = this.environment.findDefinedType(name);
    if (found === undefined) return undefined;
    return this.body(
      found,
      () => new CodeSource('define', found.definition.name, found.module?.name ?? '', undefined),
    );
  }

  /** @param name - as in the catalog: a node matched by a regular expression has a made-up one */
  node(found: Found<NodeDefinition>, name: string): LoweredBody {
    const known = this.bodies.get(found.definition);
    if (known !== undefined && known.name === name) return known;
    const source = new CodeSource('node', name, found.module?.name ?? '', undefined);
    const body = new LoweredBody(found.definition, source, this.unitOf(found.program, found.module), lower);
    this.bodies.set(found.definition, body);
    return body;
  }

  /** The name of a type that there is, as catalogs spell it: the same text for all of its resources. */
  typeName(name: string): string {
    let spelled = this.typeNames.get(name);
    if (spelled === undefined) {
      spelled = canonicalTypeName(name);
      this.typeNames.set(name, spelled);
    }
    return spelled;
  }

  /** The expression of a node definition, compiled once: every node of the fleet is held against it. */
  nodePattern(expression: LiteralRegularExpression): RegexpValue {
    let pattern = this.patterns.get(expression);
    if (pattern === undefined) {
      pattern = new RegexpValue(expression.source);
      this.patterns.set(expression, pattern);
    }
    return pattern;
  }

  /** The main manifest defines a function of that name: it goes before one that is built in. */
  private isMainFunction(name: string): boolean {
    this.mainFunctions ??= new Set(
      this.environment
        .mainPrograms()
        .flatMap(({ definitions }) => definitions)
        .flatMap((definition) => (definition.kind === 'FunctionDefinition' ? [definition.name] : [])),
    );
    return this.mainFunctions.has(name);
  }

  /** The function of that name that is built in, unless the main manifest has its own. */
  builtinFunction(name: string): PreparedFunction | undefined {
    let found = this.builtins.get(name);
    if (found === undefined) {
      const builtin = this.added?.get(name) ?? builtinFunction(name, this.environment.config.settings.level);
      if (builtin === undefined || this.isMainFunction(name)) return undefined;
      found = prepareFunction(builtin);
      this.builtins.set(name, found);
    }
    return found;
  }

  /** A function in the Puppet language. @param user - the module whose code calls it */
  findFunction(name: string, user: Module | undefined): LoweredCallable | undefined {
    const found = this.environment.findFunction(name, user);
    if (found === undefined) return undefined;
    let lowered = this.functions.get(found.definition);
    if (lowered === undefined) {
      const unit = this.unitOf(found.program, found.module);
      lowered = new LoweredCallable(found.definition, { unit, outer: undefined }, lower);
      this.functions.set(found.definition, lowered);
    }
    return lowered;
  }

  /** A plan in the Puppet language, which was found in this environment. */
  plan(found: Found<PlanDefinition>): LoweredCallable {
    let lowered = this.functions.get(found.definition);
    if (lowered === undefined) {
      const unit = this.unitOf(found.program, found.module);
      lowered = new LoweredCallable(found.definition, { unit, outer: undefined }, lower);
      this.functions.set(found.definition, lowered);
    }
    return lowered;
  }

  /** The main manifest's code, file by file. */
  main(): readonly MainBody[] {
    this.mainBodies ??= this.environment.mainPrograms().map((program) => this.mainOf(program));
    return this.mainBodies;
  }

  /** Code that is evaluated at top scope, lowered once. */
  mainOf(program: Program): MainBody {
    const known = this.topBodies.get(program);
    if (known !== undefined) return known;
    const body = { evaluate: this.lowerAlone(program.body, program, undefined), file: program.source.file };
    this.topBodies.set(program, body);
    return body;
  }

  /** Lowers an expression that belongs to a file but to no body: a type, a template's. */
  lowerAlone(expression: Expression, program: Program, module: Module | undefined): Evaluate {
    const context = new LowerContext({ unit: this.unitOf(program, module), layout: EMPTY_LAYOUT });
    return lower(expression, context);
  }

  unitOf(program: Program, module: Module | undefined): Unit {
    let unit = this.units.get(program);
    if (unit === undefined) this.units.set(program, (unit = new Unit(program.source, module)));
    return unit;
  }

  private body(
    found: Found<HostClassDefinition> | Found<ResourceTypeDefinition>,
    source: () => CodeSource,
  ): LoweredBody {
    let lowered = this.bodies.get(found.definition);
    if (lowered === undefined) {
      lowered = new LoweredBody(found.definition, source(), this.unitOf(found.program, found.module), lower);
      this.bodies.set(found.definition, lowered);
    }
    return lowered;
  }
}

/** Lives as long as the version of the environment. */
export const codeOf: AttachmentKey<Code> = { create: (environment) => new Code(environment) };

/** Lambdas and functions in the Puppet language. */

import { failure } from '../../catalog/index.ts';
import {
  AnyType,
  assertInstance,
  CallableType,
  describeParameters,
  describeSignatures,
  IntegerType,
  inferDetailed,
  isArray,
  PuppetHash,
  PuppetType,
  StructElement,
  StructType,
  TupleType,
  type Value,
} from '../../pcore/index.ts';
import type { FunctionDefinition, LambdaExpression, PlanDefinition } from '../../syntax/index.ts';
import { fail } from '../evaluation-error.ts';
import { declareAssignedNames } from '../lower/assigned-names.ts';
import { type Evaluate, type Lower, LowerContext } from '../lower/lower-context.ts';
import { NextSignal } from '../runtime/control-flow.ts';
import { Frame } from '../runtime/frame.ts';
import { Layout } from '../runtime/layout.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Unit } from '../runtime/unit.ts';
import { type LoweredParameter, lowerParameters } from './lowered-parameter.ts';

/** Code with parameters, ready to be called from anywhere. */
export class LoweredCallable {
  /** `lambda`, or the function's name. */
  readonly name: string;
  readonly parameters: readonly LoweredParameter[];
  readonly minParameters: number;
  readonly maxParameters: number;
  readonly context: LowerContext;
  private readonly layout: Layout;
  private readonly body: Evaluate;
  private readonly returnType: Evaluate | undefined;
  /** A required parameter behind an optional one. */
  private readonly misplaced: LoweredParameter | undefined;
  private knownReturnType: PuppetType | undefined;
  private knownType: CallableType | undefined;

  constructor(
    node: LambdaExpression | FunctionDefinition | PlanDefinition,
    surroundings: { readonly unit: Unit; readonly outer: LowerContext | undefined },
    lower: Lower,
  ) {
    this.name = node.kind === 'LambdaExpression' ? 'lambda' : node.name;
    this.layout = new Layout();
    this.context = new LowerContext({ ...surroundings, layout: this.layout });
    this.parameters = lowerParameters(node.parameters, this.context, lower, () => this.name);
    this.minParameters = this.parameters.filter(({ isOptional }) => !isOptional).length;
    const capturesRest = this.parameters.at(-1)?.capturesRest === true;
    this.maxParameters = capturesRest ? Number.POSITIVE_INFINITY : this.parameters.length;
    const firstOptional = this.parameters.findIndex(({ isOptional }) => isOptional);
    this.misplaced = this.parameters.find(
      ({ isOptional }, index) => !isOptional && firstOptional !== -1 && index > firstOptional,
    );
    declareAssignedNames(node.body, this.layout);
    this.body = lower(node.body, this.context);
    this.returnType = node.returnType === undefined ? undefined : lower(node.returnType, this.context);
  }

  /** Calls of it fail, whatever the arguments. */
  get isMisordered(): boolean {
    return this.misplaced !== undefined;
  }

  /** Calls it; `next()` ends it. @param outer - the frame around a lambda; top scope's for a function */
  call(args: readonly Value[], scope: Scope, outer: Frame): Value {
    if (this.misplaced !== undefined) this.refuseOrder(this.misplaced);
    const frame = new Frame(scope, this.layout, outer);
    // What is wrong with its types is said before what is wrong with its arguments.
    if (this.knownType === undefined) this.type(frame);
    if (this.context.outer === undefined) frame.match = undefined;
    const before = scope.current;
    scope.current = frame;
    try {
      return this.checkResult(this.evaluate(args, frame), frame);
    } finally {
      scope.current = before;
    }
  }

  /**
   * Calls it with arguments by name, as plans are called: the defaults of those that are missing or undef come before
   * any check, and everything that is wrong is said at once.
   */
  callNamed(given: PuppetHash, scope: Scope, outer: Frame): Value {
    const frame = new Frame(scope, this.layout, outer);
    frame.match = undefined;
    const bound = new PuppetHash([...given].filter(([, value]) => value !== null));
    for (const { name, slot } of this.parameters) frame.slots[slot] = bound.get(name);
    for (const { defaultValue, name, slot } of this.parameters) {
      if (bound.has(name)) continue;
      const value = defaultValue === undefined ? undefined : defaultValue(frame);
      if (value === undefined && !given.has(name)) continue;
      bound.set(name, value ?? null);
      frame.slots[slot] = value ?? null;
    }
    this.checkNamed(bound, frame);
    const before = scope.current;
    scope.current = frame;
    try {
      return this.body(frame);
    } catch (signal) {
      if (signal instanceof NextSignal) return signal.value;
      throw signal;
    } finally {
      scope.current = before;
    }
  }

  private checkNamed(given: PuppetHash, frame: Frame): void {
    // Those without a default have to be given, also where undef would do.
    const elements = this.parameters.map(
      (parameter) => new StructElement(parameter.name, parameter.type(frame), parameter.isOptional),
    );
    const message = describeParameters({ subject: this.name, parameters: new StructType(elements), given });
    if (message !== undefined) throw failure(message);
  }

  /** The signature as a type. */
  type(frame: Frame): CallableType {
    this.knownType ??= this.makeType(frame);
    return this.knownType;
  }

  private refuseOrder(parameter: LoweredParameter): never {
    const text = `Parameter $${parameter.name} is required but appears after optional parameters`;
    return fail('required_parameter_after_optional', text, parameter.node, this.context);
  }

  /** `next()` in the default of a parameter ends the call, too. */
  private evaluate(args: readonly Value[], frame: Frame): Value {
    try {
      this.bind(args, frame);
      this.check(frame);
      return this.body(frame);
    } catch (signal) {
      if (signal instanceof NextSignal) return signal.value;
      throw signal;
    }
  }

  private bind(args: readonly Value[], frame: Frame): void {
    let index = 0;
    for (const parameter of this.parameters) {
      frame.slots[parameter.slot] = parameter.capturesRest
        ? this.bindRest(args, index, parameter, frame)
        : this.bindOne(args, index, parameter, frame);
      index += 1;
    }
  }

  private bindOne(args: readonly Value[], index: number, parameter: LoweredParameter, frame: Frame): Value {
    const given = args[index];
    if (given !== undefined) return given;
    if (parameter.defaultValue !== undefined) return parameter.defaultValue(frame);
    const text = `Parameter $${parameter.name} is required but no value was given`;
    return fail('missing_required_parameter', text, parameter.node, this.context);
  }

  private bindRest(args: readonly Value[], index: number, parameter: LoweredParameter, frame: Frame): Value {
    const rest = args.slice(index);
    const useDefault = rest.length === 0 || (rest.length === 1 && rest[0] === null);
    if (!useDefault || parameter.defaultValue === undefined) return rest;
    const value = parameter.defaultValue(frame);
    return isArray(value) ? value : [value];
  }

  private check(frame: Frame): void {
    for (const parameter of this.parameters) {
      const value = frame.slots[parameter.slot] ?? null;
      const type = parameter.itemType(frame);
      if (parameter.capturesRest && isArray(value)) {
        if (!value.every((item) => type.isInstance(item)) || !this.fitsRest(parameter, value, frame)) {
          throw this.mismatch(frame);
        }
      } else if (!type.isInstance(value)) {
        throw this.mismatch(frame);
      }
    }
  }

  private fitsRest(parameter: LoweredParameter, rest: readonly Value[], frame: Frame): boolean {
    const type = parameter.type(frame);
    return type.kind !== 'Array' || type.isInstance(rest);
  }

  private mismatch(frame: Frame): Error {
    const bound: Value[] = [];
    for (const { slot, capturesRest } of this.parameters) {
      const value = frame.slots[slot] ?? null;
      if (capturesRest && isArray(value)) for (const item of value) bound.push(item);
      else bound.push(value);
    }
    return this.signatureMismatch(bound, frame);
  }

  /** The error of a call with arguments that do not fit. */
  signatureMismatch(args: readonly Value[], frame: Frame): Error {
    const signature = { type: this.type(frame), parameterNames: this.parameters.map(({ name }) => name) };
    return failure(describeSignatures(this.name, [signature], inferDetailed(args)));
  }

  /** What it is declared to return; `undefined` where nothing is. */
  declaredReturnType(frame: Frame): PuppetType | undefined {
    if (this.returnType === undefined) return undefined;
    this.knownReturnType ??= this.evaluateReturnType(this.returnType, frame);
    return this.knownReturnType;
  }

  private checkResult(value: Value, frame: Frame): Value {
    const type = this.declaredReturnType(frame);
    return type === undefined ? value : assertInstance(`value returned from ${this.name}`, type, value);
  }

  private evaluateReturnType(evaluate: Evaluate, frame: Frame): PuppetType {
    const type = evaluate(frame.scope.compiler.topScope.frame);
    return type instanceof PuppetType ? type : AnyType.DEFAULT;
  }

  private makeType(frame: Frame): CallableType {
    const types = this.parameters.map((parameter) => parameter.itemType(frame));
    const size = new IntegerType(this.minParameters, this.maxParameters);
    const tuple = new TupleType(types, size);
    return new CallableType(tuple, undefined, this.declaredReturnType(frame));
  }
}

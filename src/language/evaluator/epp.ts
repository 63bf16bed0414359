/** Templates in the Puppet language. */

import { failure } from '../catalog/index.ts';
import type { AttachmentKey, Environment } from '../environment/index.ts';
import type { EppSource } from '../functions/index.ts';
import {
  AnyType,
  assertInstance,
  PuppetHash,
  parseType,
  StructElement,
  StructType,
  type Value,
} from '../pcore/index.ts';
import { type EppExpression, PuppetError, parseAndValidateEpp } from '../syntax/index.ts';
import { checkParameters } from './check-parameters.ts';
import type { Compiler } from './compiler.ts';
import { type LoweredParameter, lowerParameters } from './definitions/lowered-parameter.ts';
import { declareAssignedNames } from './lower/assigned-names.ts';
import { lower } from './lower/lower.ts';
import { type Evaluate, LowerContext } from './lower/lower-context.ts';
import { renderedText } from './lower/templates.ts';
import { NextSignal, ReturnSignal } from './runtime/control-flow.ts';
import { Frame } from './runtime/frame.ts';
import { Layout } from './runtime/layout.ts';
import { Unit } from './runtime/unit.ts';

interface LoweredTemplate {
  readonly layout: Layout;
  readonly parameters: readonly LoweredParameter[];
  readonly hasParameters: boolean;
  readonly body: Evaluate;
}

const EPP_RESULT = 'Variant[String, Sensitive[String]]';

/** Inline templates may be made of data: only so many are kept. */
const MOST_TEMPLATES = 500;

class Templates {
  private readonly environment: Environment;
  private readonly known = new Map<string, LoweredTemplate>();

  constructor(environment: Environment) {
    this.environment = environment;
  }

  get(source: EppSource, compiler: Compiler): LoweredTemplate {
    const key = `${source.file}\u0000${source.text}`;
    let template = this.known.get(key);
    if (template === undefined) {
      template = this.make(source, compiler);
      const oldest = this.known.keys().next().value;
      if (this.known.size >= MOST_TEMPLATES && oldest !== undefined) this.known.delete(oldest);
      this.known.set(key, template);
    }
    return template;
  }

  private make(source: EppSource, compiler: Compiler): LoweredTemplate {
    const program = parse(source, compiler);
    const unit = new Unit({ file: source.file, text: source.text }, this.environment.moduleAt(source.file));
    const layout = new Layout();
    const context = new LowerContext({ unit, layout });
    const parameters = lowerParameters(program.parameters, context, lower, () => 'lambda');
    declareAssignedNames(program.body, layout);
    return {
      layout,
      parameters,
      hasParameters: program.parametersSpecified,
      body: lower(program.body, context),
    };
  }
}

const templatesOf: AttachmentKey<Templates> = { create: (environment) => new Templates(environment) };

/**
 * The text of a template; `Sensitive` when a part of it is. `next(x)` in it gives another result, which must be such a
 * text, and `return(x)` any.
 *
 * @param frame - the caller's
 */
export function evaluateEpp(source: EppSource, parameters: PuppetHash | undefined, frame: Frame): Value {
  const { compiler } = frame.scope;
  const template = compiler.environment.attached(templatesOf).get(source, compiler);
  const outer = source.isInline ? frame : frame.scope.global.frame;
  const inner = new Frame(outer.scope, template.layout, outer);
  inner.output = [];
  const { scope } = inner;
  const before = scope.current;
  scope.current = inner;
  compiler.enter();
  try {
    bind(template, parameters, inner);
    template.body(inner);
    return renderedText(inner.output);
  } catch (signal) {
    if (signal instanceof ReturnSignal) return signal.value;
    if (!(signal instanceof NextSignal)) throw signal;
    return assertText(source, signal.value);
  } finally {
    compiler.leave();
    scope.current = before;
  }
}

function assertText({ isInline }: EppSource, value: Value): Value {
  const describe = `value returned from function '${isInline ? 'inline_epp' : 'epp'}'`;
  return assertInstance(describe, parseType(EPP_RESULT), value);
}

/** A template that declares parameters takes those; another one whatever it is given. */
function bind(template: LoweredTemplate, given: PuppetHash | undefined, frame: Frame): void {
  if (!template.hasParameters) {
    for (const [name, value] of given ?? []) frame.setLocal(String(name), value);
    return;
  }
  const values = new PuppetHash();
  for (const [name, value] of given ?? []) {
    if (value !== null) {
      values.set(name, value);
      frame.setLocal(String(name), value);
    }
  }
  for (const { name, slot, defaultValue } of template.parameters) {
    if (values.has(name)) continue;
    if (defaultValue === undefined && given?.has(name) !== true) continue;
    const value = defaultValue?.(frame) ?? null;
    values.set(name, value);
    frame.slots[slot] = value;
  }
  check(template, values, frame);
}

function check({ parameters }: LoweredTemplate, values: PuppetHash, frame: Frame): void {
  let count = 0;
  const fits = parameters.every((parameter) => {
    const value = values.get(parameter.name);
    if (value !== undefined) count += 1;
    return value !== undefined && parameter.type(frame).isInstance(value);
  });
  if (fits && count === values.size) return;
  const elements = parameters.map(
    (parameter) =>
      new StructElement(
        parameter.name,
        parameter.type(frame) ?? AnyType.DEFAULT,
        parameter.defaultValue !== undefined,
      ),
  );
  checkParameters('lambda', new StructType(elements), values, frame.scope.compiler);
}

function parse(source: EppSource, compiler: Compiler): EppExpression {
  const { strict } = compiler.settings;
  try {
    const { body } = parseAndValidateEpp(
      { file: source.file, text: source.text },
      {
        strict,
        log: (finding) =>
          compiler.log(finding.severity === 'error' ? 'err' : 'warning', finding.message, finding),
      },
    );
    if (body.kind === 'EppExpression') return body;
    throw failure('The EPP template contains illegal expressions (definitions)');
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error;
    throw failure(`${source.isInline ? 'inline_epp' : 'epp'}(): Invalid EPP: ${error.message}`);
  }
}

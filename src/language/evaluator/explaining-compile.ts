/** Explains a finished compile: what declares a resource, where a parameter comes from. */

import { canonicalTitle } from '../catalog/index.ts';
import { Explainer, LookupError, type LookupStory, storyOf } from '../hiera/index.ts';
import { isArray, PuppetHash, SensitiveValue, type Value } from '../pcore/index.ts';
import { Locator, type Position, writtenText } from '../syntax/index.ts';
import { callPosition } from './calls/call-site.ts';
import { compileWith } from './compile-catalog.ts';
import type { CompileRequest } from './compile-request.ts';
import type { Compiler } from './compiler.ts';
import type { CompiledResource } from './runtime/scope.ts';

/** The value of a key in data, and the places that were searched. */
export interface ExplainedKey extends LookupStory {
  readonly key: string;
  /** `undefined` when nothing was found. */
  readonly value: Value | undefined;
  /** The error when there is no value. */
  readonly failure: string | undefined;
}

export interface ExplainedParameter {
  readonly name: string;
  /** The source of the value. */
  readonly source: 'code' | 'group' | 'data' | 'default' | 'none';
  readonly value: Value | undefined;
  /** Whether the value must not be shown. */
  readonly isSecret: boolean;
  /** The line that sets it, or the definition whose default it is. */
  readonly place: Position | undefined;
  /** The type as it is written; absent without one. */
  readonly type: string | undefined;
  /** The default as it is written; absent without one. */
  readonly defaultText: string | undefined;
  readonly data: ExplainedKey;
}

export interface ExplainedDeclaration {
  readonly reference: string;
  /** `group`: the classifier gives this class. `inherits`: a class that is derived from it. */
  readonly how: 'code' | 'group' | 'inherits' | 'main';
  /** The line that declares it. */
  readonly place: Position | undefined;
  /** The line where the class or defined type is defined. */
  readonly definition: Position | undefined;
}

export class ExplainingCompile {
  private readonly compiler: Compiler;

  /** @throws CompileError when the code does not compile */
  constructor(request: CompileRequest) {
    this.compiler = compileWith(request).compiler;
  }

  /** Looks a key up in data. @throws PuppetError for mistakes in data */
  lookup(key: string): ExplainedKey {
    const explainer = new Explainer();
    try {
      const value = this.compiler.lookups.ask({ names: [key] }, explainer);
      const story = storyOf(explainer, key);
      return { ...story, hasSecret: story.hasSecret || isSensitive(value), key, value, failure: undefined };
    } catch (error) {
      if (!(error instanceof LookupError)) throw error;
      return { ...storyOf(explainer, key), key, value: undefined, failure: error.message };
    }
  }

  /** The parameters of a class with their sources; `undefined` when the catalog does not have the class. */
  parameters(className: string, only?: string): readonly ExplainedParameter[] | undefined {
    const { compiler } = this;
    const name = className.replace(/^::/, '').toLowerCase();
    const resource = compiler.catalog.find('Class', canonicalTitle('Class', name));
    const body = resource && compiler.bodyOf(resource);
    if (resource === undefined || body === undefined) return undefined;
    const text = compiler.environment.findClass(name)?.program.source.text ?? '';
    const found: ExplainedParameter[] = [];
    for (const { name: parameter, node } of body.parameters) {
      const type = node.typeExpr === undefined ? undefined : writtenText(node.typeExpr, text);
      const defaultText = node.value === undefined ? undefined : writtenText(node.value, text);
      const known = this.sourceOf(resource, name, parameter);
      const isSecret =
        known.isSecret ||
        type?.includes('Sensitive') === true ||
        (known.source === 'default' && mayCarrySecret(defaultText ?? '', found));
      found.push({ ...known, isSecret, type, defaultText });
    }
    return only === undefined ? found : found.filter((parameter) => parameter.name === only);
  }

  /** The resource and what contains it, outwards; `undefined` when the catalog does not have it. */
  declarations(type: string, title: string): readonly ExplainedDeclaration[] | undefined {
    const found: ExplainedDeclaration[] = [];
    const seen = new Set<CompiledResource>();
    let at = this.compiler.catalog.find(type, canonicalTitle(type, title));
    if (at === undefined) return undefined;
    while (at !== undefined && !seen.has(at)) {
      seen.add(at);
      found.push(this.declarationOf(at));
      at = at.scope?.resource;
    }
    return found;
  }

  private sourceOf(
    resource: CompiledResource,
    className: string,
    name: string,
  ): Omit<ExplainedParameter, 'type' | 'defaultText'> {
    const parameter = resource.parameters.get(name);
    const data = this.lookup(`${className}::${name}`);
    const isGiven = parameter?.file !== undefined;
    const isOfGroup = (this.classified(className)?.[name] ?? null) !== null;
    const source = isGiven
      ? 'code'
      : isOfGroup
        ? 'group'
        : (data.value ?? null) !== null
          ? 'data'
          : parameter === undefined
            ? 'none'
            : 'default';
    const isSecret =
      resource.sensitiveParameters.includes(name) ||
      isSensitive(parameter?.value) ||
      (source === 'data' && data.hasSecret);
    const place = isGiven
      ? { file: parameter.file, ...(parameter.line === undefined ? {} : { line: parameter.line }) }
      : source === 'default'
        ? this.parameterPlace(className, name)
        : undefined;
    return { name, source, value: parameter?.value, isSecret, place, data };
  }

  private classified(className: string) {
    const { classes } = this.compiler.request.node;
    const found = Object.entries(classes).find(
      ([name]) => name.replace(/^::/, '').toLowerCase() === className,
    );
    return found?.[1] ?? undefined;
  }

  private declarationOf(resource: CompiledResource): ExplainedDeclaration {
    const { compiler } = this;
    const { file, line, reference } = resource;
    const definition = this.definitionOf(resource);
    if (file !== undefined)
      return { reference, how: 'code', place: { file, ...(line === undefined ? {} : { line }) }, definition };
    const body = compiler.bodyOf(resource);
    if (body === undefined) return { reference, how: 'main', place: undefined, definition };
    const call = compiler.classCalls.get(resource);
    if (resource.isClass && call === undefined)
      return { reference, how: 'group', place: undefined, definition };
    const place = call === undefined ? undefined : 'node' in call ? callPosition(call) : call;
    return { reference, how: resource.isClass ? 'code' : 'main', place, definition };
  }

  private definitionOf(resource: CompiledResource): Position | undefined {
    const { environment } = this.compiler;
    const name = (resource.isClass ? resource.title : resource.type).toLowerCase();
    const found = resource.isClass ? environment.findClass(name) : environment.findDefinedType(name);
    if (found === undefined) return undefined;
    const { source } = found.program;
    return { file: source.file, line: new Locator(source).line(found.definition.offset) };
  }

  private parameterPlace(className: string, name: string): Position | undefined {
    const found = this.compiler.environment.findClass(className);
    const parameter = found?.definition.parameters.find((each) => each.name === name);
    if (found === undefined || parameter === undefined) return undefined;
    const { source } = found.program;
    return { file: source.file, line: new Locator(source).line(parameter.offset) };
  }
}

function isSensitive(value: Value | undefined): boolean {
  if (value instanceof SensitiveValue) return true;
  if (value !== undefined && isArray(value)) return value.some(isSensitive);
  return value instanceof PuppetHash && Array.from(value).some(([, item]) => isSensitive(item));
}

/** Whether a default takes its value from data, whose secrets nothing marks there, or from a parameter before it that is secret. */
function mayCarrySecret(defaultText: string, before: readonly ExplainedParameter[]): boolean {
  if (/\b(?:lookup|hiera\w*)\b/.test(defaultText)) return true;
  const names = new Set(Array.from(defaultText.matchAll(/\$\{?(?:\w*::)*(\w+)/g), ([, name]) => name));
  return before.some(({ isSecret, name }) => isSecret && names.has(name));
}

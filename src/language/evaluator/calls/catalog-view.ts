/** The catalog, as functions see it. */

import { failure, type ResourceParameter } from '../../catalog/index.ts';
import type { CatalogView } from '../../functions/index.ts';
import {
  ByteString,
  ClassType,
  isArray,
  PuppetHash,
  PuppetType,
  plainText,
  ResourceType,
  textOf,
  type Value,
} from '../../pcore/index.ts';
import type { Compiler } from '../compiler.ts';
import { evaluationError } from '../evaluation-error.ts';
import { parameterOf } from '../lower/access-reference.ts';
import { FixedSetCollector } from '../resources/collectors.ts';
import { declareResources, failWithoutTitle, findResourceType } from '../resources/declare.ts';
import { referenceText } from '../resources/reference-text.ts';
import { toAttributeValue } from '../resources/resource-object.ts';
import { NextSignal, ReturnSignal } from '../runtime/control-flow.ts';
import type { CompiledResource, Scope } from '../runtime/scope.ts';
import { type CallSite, callPosition } from './call-site.ts';

export class CatalogAccess implements CatalogView {
  private readonly site: CallSite;
  private readonly scope: Scope;
  private readonly compiler: Compiler;

  constructor(site: CallSite) {
    this.site = site;
    this.scope = site.frame.scope;
    this.compiler = this.scope.compiler;
  }

  declareClasses(names: readonly Value[], how: 'include' | 'require' | 'contain'): Value {
    try {
      const classes = names.map(className);
      const references = classes.map((name) => new ClassType(name.replace(/^::/, '')));
      const resources = this.compiler.evaluateClasses(classes, this.scope, { isLazy: false });
      if (how === 'contain') this.contain(resources);
      if (how === 'require') this.requireAll(classes);
      return references;
    } catch (signal) {
      // In the default of a class parameter they end the function that declares the class.
      if (signal instanceof NextSignal || signal instanceof ReturnSignal) return signal.value;
      throw signal;
    }
  }

  createResources(type: string, resources: PuppetHash, defaults: PuppetHash): readonly Value[] {
    const [, prefix = '', name = ''] = /^(@{0,2})(.*)$/s.exec(type) ?? [];
    const position = callPosition(this.site);
    const typeName = name.toLowerCase();
    if (typeName === 'class' && prefix !== '') {
      throw evaluationError('class_not_virtualizable', 'Classes are not virtualizable', {
        file: position.file === undefined || position.file === '' ? 'unknown' : position.file,
        ...(position.line === undefined ? {} : { line: position.line }),
      });
    }
    const parameterOf = this.sharedParameters();
    return [...resources].flatMap(([title, given]) => {
      const parameters = new PuppetHash([...defaults, ...(given instanceof PuppetHash ? given : [])]);
      const declare = (each: Value): readonly Value[] => {
        const declaration = {
          typeName,
          ...(typeof each === 'string' || each instanceof ByteString ? {} : { titleValue: each }),
          isVirtual: prefix !== '',
          isExported: prefix === '@@',
          file: position.file === undefined || position.file === '' ? 'unknown' : position.file,
          line: position.line,
        };
        if (each === null || each === false) this.requireTitle(typeName);
        const attributes = [...parameters].map(([key, value]) =>
          parameterOf(textOf(key) ?? plainText(key), value),
        );
        return declareResources(this.scope, declaration, [textOf(each) ?? plainText(each)], attributes);
      };
      return (isArray(title) ? title : [title]).flatMap(declare);
    });
  }

  /** Classes of such a name and unknown types have errors of their own. */
  private requireTitle(typeName: string): void {
    const type = typeName === 'class' ? undefined : findResourceType(this.compiler, typeName);
    if (type !== undefined) failWithoutTitle(type);
  }

  /** Makes attributes. A list given to several resources, as defaults are, is the value of one attribute of them all. */
  private sharedParameters(): (name: string, value: Value) => ResourceParameter {
    const lists = new Map<Value, ResourceParameter>();
    return (name, value) => {
      const known = lists.get(value);
      if (known?.name === name) return known;
      const parameter = this.parameter(name, value);
      if (isArray(value)) lists.set(value, parameter);
      return parameter;
    };
  }

  realize(references: readonly Value[]): void {
    const texts = references.map((reference) => {
      // A type without a title is a reference to nothing, which only the end of the compile shows to be wrong.
      const value = toAttributeValue(reference);
      return referenceText(value) ?? plainText(value);
    });
    this.compiler.collectors.add(new FixedSetCollector(this.scope, texts));
  }

  hasResource(type: string, title: string): boolean {
    return this.compiler.catalog.find(type, title) !== undefined;
  }

  resourceParameter(type: string, title: string, parameter: string): Value | undefined {
    const resource = this.compiler.catalog.find(type, title);
    return resource === undefined ? undefined : (parameterOf(resource, parameter) ?? undefined);
  }

  addTags(names: readonly string[]): void {
    for (const name of names) this.scope.resource?.tags.add(name);
  }

  isClassDeclared(name: string): boolean {
    return this.compiler.catalog.find('Class', name) !== undefined;
  }

  isTypeKnown(name: string): boolean {
    return findResourceType(this.compiler, name.toLowerCase()) !== undefined;
  }

  isClassKnown(name: string): boolean {
    const body = name === 'settings' ? undefined : this.compiler.code.findClass(name);
    body?.prepare(this.compiler.topScope.frame);
    return name === 'settings' || body !== undefined;
  }

  private parameter(name: string, value: Value): ResourceParameter {
    return { name, value: toAttributeValue(value), source: this.scope.source };
  }

  private contain(resources: readonly CompiledResource[]): void {
    const container = this.scope.resource;
    if (container === undefined) return;
    for (const resource of resources) this.compiler.catalog.graph.addEdge(container, resource);
  }

  private requireAll(names: readonly string[]): void {
    const { resource } = this.scope;
    if (resource === undefined) return;
    for (const name of names) {
      const body = this.compiler.requireClass(name);
      const current = resource.value('require') ?? null;
      const references = current === null ? [] : isArray(current) ? flatten(current) : [current];
      const value = [...references, new ClassType(body.name)];
      resource.setParameter({ name: 'require', value, source: resource.source });
    }
  }
}

function flatten(values: readonly Value[]): readonly Value[] {
  return values.flatMap((value) => (value === null ? [] : isArray(value) ? flatten(value) : [value]));
}

/** A class by name or reference, with `::` in front as messages have it. */
function className(name: Value): string {
  const text = nameText(name).toLowerCase();
  return /^[^:]{1,2}/.test(text) ? `::${text}` : text;
}

function nameText(name: Value): string {
  if (name === null) throw failure('Cannot use undef as a class name');
  if (typeof name === 'string') {
    if (name === '') throw failure('Cannot use empty string as a class name');
    return name;
  }
  if (name instanceof ClassType) {
    if (name.className === undefined) throw failure('Cannot use an unspecific Class[] Type');
    return name.className;
  }
  if (name instanceof ResourceType) return titleOfClass(name);
  throw failure(
    `undefined method \`downcase' for ${String(name instanceof PuppetType ? name : nameKind(name))}`,
  );
}

function titleOfClass({ typeName, title }: ResourceType): string {
  if (typeName === undefined) {
    throw failure("Cannot use an unspecific Resource[] where a Resource['class', name] is expected");
  }
  if (typeName.toLowerCase() !== 'class') {
    throw failure(`Cannot use a Resource[${typeName}] where a Resource['class', name] is expected`);
  }
  if (title === undefined) {
    throw failure("Cannot use an unspecific Resource['class'] where a Resource['class', name] is expected");
  }
  return title;
}

function nameKind(value: Value): string {
  return isArray(value) ? 'Array' : plainText(value);
}

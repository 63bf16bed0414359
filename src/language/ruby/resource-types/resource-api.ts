/** Types of the Resource API: a hash instead of code. */

import type { Interpreter } from './interpreter.ts';
import type { TypeClass } from './ruby-module.ts';
import { newParameter, newProperty, newType } from './type-calls.ts';
import { Unmodelled } from './unmodelled.ts';
import { nameOf, option, RubyHash, RubyRegexp, RubySymbol, Unknown, type Value } from './values.ts';

/** `Puppet::ResourceApi.register_type` */
export function registerType(definition: Value, interpreter: Interpreter): Value {
  if (!(definition instanceof RubyHash)) throw new Unmodelled('a definition that is no hash');
  interpreter.requireUntainted(definition);
  const attributes = option(definition, 'attributes');
  if (!(attributes instanceof RubyHash)) throw new Unmodelled('attributes that are no hash');
  const type = newType(nameOf(option(definition, 'name')), undefined, interpreter);
  type.isResourceApi = true;
  addTrigger(type, definition, attributes, interpreter);
  for (const [name, options] of attributes) addAttribute(type, name, options, interpreter);
  type.instanceVariables.set('@title_patterns', titlePatterns(definition, type));
  return type;
}

function addAttribute(type: TypeClass, name: Value, options: Value, interpreter: Interpreter): void {
  if (!(options instanceof RubyHash)) throw new Unmodelled(`attribute options that are no hash`);
  const behaviour = behaviourOf(options);
  if (behaviour === undefined || behaviour === 'init_only') {
    newProperty(type, { name: nameOf(name) }, interpreter);
    return;
  }
  if (!['namevar', 'parameter', 'read_only'].includes(behaviour)) {
    throw new Unmodelled(`\`${behaviour}\` is not a valid behaviour value`);
  }
  const parameter = newParameter(type, { name: nameOf(name) }, interpreter);
  if (behaviour === 'namevar') parameter.isNamevar = true;
}

function behaviourOf(options: RubyHash): string | undefined {
  const behaviour = option(options, 'behaviour') ?? option(options, 'behavior');
  if (behaviour instanceof Unknown) throw new Unmodelled(`a behaviour from ${behaviour.what}`);
  return behaviour === null ? undefined : nameOf(behaviour);
}

/** A type whose provider compares by itself and that has nothing to compare gets a hidden property. */
function addTrigger(
  type: TypeClass,
  definition: RubyHash,
  attributes: RubyHash,
  interpreter: Interpreter,
): void {
  const features = option(definition, 'features');
  if (features instanceof Unknown) throw new Unmodelled(`features from ${features.what}`);
  if (!Array.isArray(features) || !features.includes('custom_insync')) return;
  const hasProperties = [...attributes.values()].some(
    (options) => options instanceof RubyHash && behaviourOf(options) === undefined,
  );
  if (!hasProperties) {
    newProperty(type, { name: 'rsapi_custom_insync_trigger' }, interpreter);
  }
}

/** In the form of `title_patterns`: the pattern's named groups are the attributes. */
function titlePatterns(definition: RubyHash, type: TypeClass): Value {
  if (!definition.has(new RubySymbol('title_patterns'))) {
    const namevar = type.parameters.find(({ isNamevar }) => isNamevar);
    if (namevar === undefined) throw new Unmodelled('a type without namevar');
    return [[new RubyRegexp('(.*)', 4), [[new RubySymbol(namevar.name)]]]];
  }
  const patterns = option(definition, 'title_patterns');
  if (!Array.isArray(patterns)) throw new Unmodelled('title patterns that are no array');
  return patterns.map((item) => {
    const pattern = item instanceof RubyHash ? option(item, 'pattern') : null;
    if (!(pattern instanceof RubyRegexp)) throw new Unmodelled('a title pattern that is not known');
    return [pattern, groupNames(pattern).map((name) => [new RubySymbol(name)])];
  });
}

function groupNames({ written }: RubyRegexp): readonly string[] {
  const names = [...written.matchAll(/\\.|\(\?(?:<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/gs)];
  return [...new Set(names.flatMap(([, a, b]) => a ?? b ?? []))];
}

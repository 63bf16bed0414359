/** Ruby's classes, as far as values of templates have one. */

import { LookupContext } from '../../hiera/index.ts';
import {
  Float,
  isArray,
  OpaqueValue,
  PuppetHash,
  PuppetType,
  RegexpValue,
  SensitiveValue,
  type Value,
} from '../../pcore/index.ts';
import { giveUp } from '../signals.ts';
import {
  RubyCatalog,
  RubyEnumerator,
  RubyEnvironment,
  RubyMatch,
  RubyModule,
  RubyProc,
  RubyRange,
  RubyResource,
  RubyScope,
  RubySymbol,
} from './ruby-values.ts';

export type Kind =
  | 'NilClass'
  | 'TrueClass'
  | 'FalseClass'
  | 'String'
  | 'Integer'
  | 'Float'
  | 'Array'
  | 'Hash'
  | 'Symbol'
  | 'Regexp'
  | 'Range'
  | 'MatchData'
  | 'Enumerator'
  | 'Proc'
  | 'Module'
  | 'Scope'
  | 'Catalog'
  | 'Sensitive'
  | 'LookupContext'
  | 'Environment'
  | 'Resource'
  | 'Type';

export function kindOf(value: Value): Kind {
  switch (typeof value) {
    case 'string':
      return 'String';
    case 'number':
    case 'bigint':
      return 'Integer';
    case 'boolean':
      return value ? 'TrueClass' : 'FalseClass';
    default:
      if (value === null) return 'NilClass';
      if (isArray(value)) return 'Array';
      if (value instanceof PuppetHash) return 'Hash';
      if (value instanceof Float) return 'Float';
      return kindOfObject(value);
  }
}

function kindOfObject(value: Value): Kind {
  if (value instanceof PuppetType) return 'Type';
  if (value instanceof RubySymbol) return 'Symbol';
  if (value instanceof RegexpValue) return 'Regexp';
  if (value instanceof RubyRange) return 'Range';
  if (value instanceof RubyMatch) return 'MatchData';
  if (value instanceof RubyEnumerator) return 'Enumerator';
  if (value instanceof RubyProc) return 'Proc';
  if (value instanceof RubyModule) return 'Module';
  if (value instanceof RubyScope) return 'Scope';
  if (value instanceof RubyCatalog) return 'Catalog';
  if (value instanceof RubyResource) return 'Resource';
  if (value instanceof SensitiveValue) return 'Sensitive';
  if (value instanceof RubyEnvironment) return 'Environment';
  if (value instanceof LookupContext) return 'LookupContext';
  const what = value instanceof OpaqueValue ? value.equalityKey().split(':', 1)[0] : 'default';
  return giveUp(`a value of the kind ${what}`);
}

export const SENSITIVE = 'Puppet::Pops::Types::PSensitiveType::Sensitive';

const ANCESTORS: Readonly<Record<Kind, readonly string[]>> = {
  NilClass: ['NilClass'],
  TrueClass: ['TrueClass'],
  FalseClass: ['FalseClass'],
  String: ['String', 'Comparable'],
  Integer: ['Integer', 'Numeric', 'Comparable'],
  Float: ['Float', 'Numeric', 'Comparable'],
  Array: ['Array', 'Enumerable'],
  Hash: ['Hash', 'Enumerable'],
  Symbol: ['Symbol', 'Comparable'],
  Regexp: ['Regexp'],
  Range: ['Range', 'Enumerable'],
  MatchData: ['MatchData'],
  Enumerator: ['Enumerator', 'Enumerable'],
  Proc: ['Proc'],
  Module: ['Module'],
  Scope: [],
  Catalog: [],
  Sensitive: [SENSITIVE],
  LookupContext: [],
  Environment: [],
  Resource: ['Puppet::Resource'],
  Type: [],
};

/** What has more ancestors and methods than anybody here knows. */
export const FOREIGN: ReadonlySet<Kind> = new Set([
  'Catalog',
  'Environment',
  'LookupContext',
  'Resource',
  'Scope',
  'Type',
]);

/** Constants that code may name. */
export const MODULES: ReadonlySet<string> = new Set([
  ...Object.values(ANCESTORS)
    .flat()
    .filter((name) => !['Module', 'MatchData', 'Enumerator'].includes(name)),
  'Object',
]);

export function isA(value: Value, module: Value | undefined): boolean {
  if (!(module instanceof RubyModule)) return giveUp('a value that is no class');
  const kind = kindOf(value);
  if (module.name === SENSITIVE) return kind === 'Sensitive';
  if (
    (FOREIGN.has(kind) || kind === 'Module') &&
    (module.name === 'Enumerable' || module.name === 'Comparable')
  )
    giveUp(`is_a? of a ${kind}`);
  return module.name === 'Object' || ANCESTORS[kind].includes(module.name);
}

import { isArray, PuppetHash, RegexpValue, type SensitiveValue, type Value } from '../../pcore/index.ts';
import { at, isTruthy } from '../arguments.ts';
import { setting } from '../puppet-access-calls.ts';
import { giveUp, raise } from '../signals.ts';
import { compareValues, equal, isCase } from '../values/comparison.ts';
import { base64Digest, digestBytes, hexDigest } from '../values/digests.ts';
import { FOREIGN, isA, kindOf } from '../values/kinds.ts';
import { matchPosition } from '../values/matching.ts';
import { RubyHash, RubyMatch, RubyModule, RubySymbol } from '../values/ruby-values.ts';
import { inspectValue, toText } from '../values/text.ts';
import { type MethodTable, plain, withBlock } from './method.ts';
import { generateJson } from './to-json.ts';
import { toYaml } from './to-yaml.ts';

/** Kinds that have the `=~` of Object: it answers nil and leaves the last match alone. */
const NEVER_MATCH: ReadonlySet<string> = new Set([
  'Array',
  'FalseClass',
  'Float',
  'Hash',
  'Integer',
  'TrueClass',
]);
export const neverMatching: MethodTable = { '=~': plain(1, 1, () => null) };

/** Methods of everything. */
export const objectMethods: MethodTable = {
  '!': plain(0, 0, (self) => !isTruthy(self)),
  '==': plain(1, 1, (self, [other = null]) => equal(self, other)),
  '!=': plain(1, 1, (self, [other = null]) => !equal(self, other)),
  '!~': plain(1, 1, (self, args, run) => {
    if (NEVER_MATCH.has(kindOf(self))) return true;
    return self instanceof RegexpValue
      ? matchPosition(self, at(args, 0), run) === null
      : matchPosition(at(args, 0), self, run) === null;
  }),
  '===': plain(1, 1, (self, [other = null], run) =>
    isCase(self, other, (found) => {
      run.match = found === null ? null : new RubyMatch(found);
    }),
  ),
  '<=>': plain(1, 1, (self, [other = null]) => compareValues(self, other) ?? null),
  'equal?': plain(1, 1, (self, [other = null]) => isSame(self, other)),
  'eql?': plain(1, 1, (self, [other = null]) => kindOf(self) === kindOf(other) && equal(self, other)),
  class: plain(0, 0, (self) => classOf(self)),
  dup: plain(0, 0, (self, _args, run) => copy(self, (items) => run.own(items))),
  clone: plain(0, 0, (self, _args, run) => copy(self, (items) => run.own(items))),
  freeze: plain(0, 0, (self, _args, run) => {
    if (self instanceof PuppetHash || (self !== null && isArray(self))) run.freeze(self);
    return self;
  }),
  inspect: plain(0, 0, (self) => inspectValue(self)),
  'instance_of?': plain(1, 1, (self, [module]) =>
    module instanceof RubyModule ? classOf(self).name === module.name : giveUp('instance_of?'),
  ),
  'is_a?': plain(1, 1, (self, [module]) => isA(self, module)),
  'kind_of?': plain(1, 1, (self, [module]) => isA(self, module)),
  itself: plain(0, 0, (self) => self),
  'nil?': plain(0, 0, (self) => self === null),
  'respond_to?': plain(1, 1, (self, [name]) => respondsTo(self, name)),
  tap: withBlock(0, 0, (self, block) => {
    block.yield(self);
    return self;
  }),
  to_s: plain(0, 0, (self) => toText(self)),
  to_json: plain(0, 1, (self, [options = null]) => generateJson([self, options])),
  to_yaml: plain(0, 1, (self, [options]) => toYaml(self, options)),
};

/** The very same object: strings, lists and hashes may be copies here. */
function isSame(self: Value, other: Value): boolean {
  const hasIdentity = (value: Value) =>
    value === null || typeof value === 'boolean' || typeof value === 'number' || value instanceof RubySymbol;
  if (!hasIdentity(self) && !hasIdentity(other)) return giveUp('equal? of objects');
  return hasIdentity(self) && hasIdentity(other) && kindOf(self) === kindOf(other) && equal(self, other);
}

function classOf(value: Value): RubyModule {
  const kind = kindOf(value);
  return FOREIGN.has(kind) || kind === 'Sensitive' || kind === 'Module'
    ? giveUp('the class of an object')
    : new RubyModule(kind);
}

function copy(value: Value, own: (items: Value[]) => Value[]): Value {
  if (value instanceof PuppetHash) return copyHash(value);
  return isArray(value) ? own([...value]) : value;
}

export function copyHash(value: PuppetHash): RubyHash {
  const made = new RubyHash(value);
  if (value instanceof RubyHash) {
    made.defaultValue = value.defaultValue;
    made.defaultProc = value.defaultProc;
  }
  return made;
}

/** What templates ask for, and which classes have it. */
const RESPONDERS: Readonly<Record<string, readonly string[]>> = {
  each: ['Array', 'Hash', 'Range'],
  join: ['Array'],
  keys: ['Hash'],
  each_pair: ['Hash'],
  'has_key?': ['Hash'],
  to_ary: ['Array'],
  to_str: ['String'],
  to_hash: ['Hash'],
  'empty?': ['String', 'Array', 'Hash', 'Symbol'],
  unwrap: ['Sensitive'],
  upcase: ['String', 'Symbol'],
};

function respondsTo(value: Value, name: Value | undefined): Value {
  const text = name instanceof RubySymbol ? name.name : name;
  const classes = typeof text === 'string' ? RESPONDERS[text] : undefined;
  const kind = kindOf(value);
  if (classes === undefined || FOREIGN.has(kind)) giveUp('respond_to?');
  return classes.includes(kind);
}

export const nilMethods: MethodTable = {
  to_a: plain(0, 0, (_self, _args, run) => run.own([])),
  to_h: plain(0, 0, () => new RubyHash()),
  to_i: plain(0, 0, () => 0),
  '&': plain(1, 1, () => false),
  '|': plain(1, 1, (_self, args) => isTruthy(at(args, 0))),
  '=~': plain(1, 1, () => null),
};

export const booleanMethods: MethodTable = {
  '&': plain(1, 1, (self, args) => self === true && isTruthy(at(args, 0))),
  '|': plain(1, 1, (self, args) => self === true || isTruthy(at(args, 0))),
  '^': plain(1, 1, (self, args) => (self === true) !== isTruthy(at(args, 0))),
};

export const symbolMethods: MethodTable = {
  to_sym: plain(0, 0, (self) => self),
  to_proc: plain(0, 0, () => giveUp('to_proc')),
  length: plain(0, 0, (self: RubySymbol) => self.name.length),
};

export const moduleMethods: MethodTable = {
  name: plain(0, 0, (self: RubyModule) => self.name),
  '[]': plain(1, 1, (self: RubyModule, args, run) =>
    self.name === 'Puppet' ? setting(at(args, 0), run) : giveUp('such an element'),
  ),
  hexdigest: plain(1, 1, (self: RubyModule, args) => hexDigest(self, at(args, 0))),
  digest: plain(1, 1, (self: RubyModule, args) => digestBytes(self, at(args, 0))),
  base64digest: plain(1, 1, (self: RubyModule, args) => base64Digest(self, at(args, 0))),
  '==': plain(1, 1, (self: RubyModule, [other]) => other instanceof RubyModule && other.name === self.name),
};

export const sensitiveMethods: MethodTable = {
  unwrap: plain(0, 0, (self: SensitiveValue, _args, run) => run.protected(self.unwrap())),
};

export const matchMethods: MethodTable = {
  '[]': plain(1, 1, (self: RubyMatch, [index]) => {
    if (typeof index === 'number') return self.group(index < 0 ? self.found.length + index : index);
    const name = index instanceof RubySymbol ? index.name : index;
    const groups = self.found.groups ?? {};
    if (typeof name !== 'string' || !(name in groups))
      raise(`undefined group name reference: ${toText(name ?? null)}`);
    return groups[name] ?? null;
  }),
  captures: plain(0, 0, (self: RubyMatch, _args, run) =>
    run.own(self.found.slice(1).map((group) => group ?? null)),
  ),
  to_a: plain(0, 0, (self: RubyMatch, _args, run) =>
    run.own(Array.from(self.found, (group) => group ?? null)),
  ),
  pre_match: plain(0, 0, ({ found }: RubyMatch) => found.input.slice(0, found.index)),
  post_match: plain(0, 0, ({ found }: RubyMatch) => found.input.slice(found.index + found[0].length)),
};

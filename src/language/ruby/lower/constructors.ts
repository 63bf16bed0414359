/** Methods of classes that code calls: `Hash.new`, `File.basename`, ... */

import { crc32 } from '../../../lib/crc32.ts';
import { isRubyNode, type RubyNode, type RubyNodeOf } from '../../../lib/ruby-syntax/index.ts';
import { isArray, PuppetHash, SensitiveValue, type Value } from '../../pcore/index.ts';
import { at, text } from '../arguments.ts';
import { generateJson, generatePrettyJson } from '../methods/index.ts';
import type { Code, Run } from '../run.ts';
import { giveUp } from '../signals.ts';
import { base64Digest, digestBytes, digestClass, hexDigest } from '../values/digests.ts';
import { baseName, directoryName, joinPaths } from '../values/file-names.ts';
import { SENSITIVE } from '../values/kinds.ts';
import { RubyHash, type RubyModule, type RubyProc, UNUSABLE } from '../values/ruby-values.ts';
import { lowerItems } from './literals.ts';
import type { Lowering } from './lowering.ts';
import { constantName, list } from './node.ts';
import { lowerProc } from './procs.ts';
import { deprecation, puppetCalls } from './puppet-calls.ts';

type Construct = (args: readonly Value[], run: Run) => Value;

const KNOWN: ReadonlyMap<string, Construct> = new Map<string, Construct>([
  ['Hash.new', (args) => newHash(args)],
  ['Array.new', (args, run) => (args.length === 0 ? run.own([]) : giveUp('Array.new'))],
  ['Hash.[]', (args) => (args.length === 1 ? hashFrom(at(args, 0)) : giveUp('Hash[]'))],
  [`${SENSITIVE}.new`, (args) => (args.length === 1 ? sensitive(at(args, 0)) : giveUp('Sensitive.new'))],
  ['Zlib.crc32', (args) => (args.length === 1 ? crc32(text(at(args, 0))) : giveUp('Zlib.crc32'))],
  ['Digest.const_get', (args) => (args.length === 1 ? digestClass(text(at(args, 0))) : giveUp('const_get'))],
  ...['MD5', 'SHA1', 'SHA256', 'SHA384', 'SHA512'].flatMap((name) => [
    digesting(name, 'hexdigest', hexDigest),
    digesting(name, 'digest', digestBytes),
    digesting(name, 'base64digest', base64Digest),
  ]),
  ['JSON.generate', (args) => (isOneOrTwo(args) ? generateJson(args) : giveUp('JSON.generate'))],
  [
    'JSON.pretty_generate',
    (args) => (isOneOrTwo(args) ? generatePrettyJson(args) : giveUp('pretty_generate')),
  ],
  ['Base64.strict_encode64', (args) => base64(args)],
  ['Base64.encode64', (args) => base64(args).replace(/.{1,60}/g, '$&\n')],
  ['IPAddr.new', (args) => (args.length === 1 ? address(text(at(args, 0))) : giveUp('IPAddr.new'))],
  ['File.basename', (args) => (isOneOrTwo(args) ? baseName(...texts(args)) : giveUp('File.basename'))],
  ['File.dirname', (args) => (args.length === 1 ? directoryName(text(at(args, 0))) : giveUp('File.dirname'))],
  ['File.join', (args) => joinPaths(args.map(text))],
  ['Regexp.escape', (args) => (args.length === 1 ? escaped(text(at(args, 0))) : giveUp('Regexp.escape'))],
]);

/** `undefined` when the call is none of a constant. */
export function constructors(node: RubyNodeOf<'CallNode'>, lowering: Lowering): Code | undefined {
  const receiver = constantName(node.receiver);
  if (receiver === undefined || lowering.profile.constants?.has(receiver) === true) return undefined;
  const called = `${receiver}.${node.name}`;
  const construct =
    called === 'Puppet.deprecation_warning' ? deprecation(lowering.placeOf(node)) : knownCall(called);
  if (construct === undefined) return undefined;
  if (called === 'Hash.new' && isRubyNode(node.block, 'BlockNode') && node.arguments === null)
    return hashWithProc(lowerProc(node.block, false, lowering));
  if (node.block !== null) return giveUp(`${node.name} with a block`);
  const nodes = node.arguments === null ? [] : list(node.arguments, 'arguments');
  if (nodes.some(({ kind }) => kind === 'KeywordHashNode')) return giveUp(`${node.name} with keywords`);
  const args = lowerItems(nodes, lowering);
  return (run) => construct(args(run), run);
}

/** A method of a constant, by `Constant.method`. */
function knownCall(called: string): Construct | undefined {
  return KNOWN.get(called) ?? puppetCalls.get(called);
}

export function isKnownCall(node: RubyNode): boolean {
  if (!isRubyNode(node, 'CallNode')) return false;
  return knownCall(`${constantName(node.receiver) ?? ''}.${node.name}`) !== undefined;
}

function newHash(args: readonly Value[]): Value {
  const hash = new RubyHash();
  if (args.length > 1) return giveUp('Hash.new');
  hash.defaultValue = at(args, 0);
  return hash;
}

/** `Hash.new { |hash, key| ... }` */
function hashWithProc(proc: (run: Run) => RubyProc): Code {
  return (run) => {
    const hash = new RubyHash();
    hash.defaultProc = proc(run);
    return hash;
  };
}

function hashFrom(value: Value): Value {
  if (value instanceof PuppetHash) return new RubyHash(value);
  if (!isArray(value)) return giveUp('Hash[]');
  const hash = new RubyHash();
  for (const pair of value) {
    if (!isArray(pair) || pair.length !== 2) return giveUp('Hash[] of values that are no pairs');
    hash.set(at(pair, 0), at(pair, 1));
  }
  return hash;
}

function sensitive(value: Value): Value {
  // Its content cannot be changed.
  return typeof value === 'object' && value !== null
    ? giveUp('Sensitive of an object')
    : new SensitiveValue(value);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\f': '\\f',
  '\v': '\\v',
  ' ': '\\ ',
};

function escaped(value: string): string {
  return value.replace(
    /[-\\*.?[\](){}^$+|# \n\t\r\f\v]/g,
    (character) => ESCAPES[character] ?? `\\${character}`,
  );
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$(?![\s\S]))){4}$/;

/** All that is known of an address is that it is one. */
function address(written: string): Value {
  return IPV4.test(written) ? UNUSABLE : giveUp('such an address');
}

function isOneOrTwo({ length }: readonly Value[]): boolean {
  return length === 1 || length === 2;
}

function texts([path, suffix = '']: readonly Value[]): [string, string] {
  return [text(path), text(suffix)];
}

function base64(args: readonly Value[]): string {
  return args.length === 1 ? Buffer.from(text(at(args, 0))).toString('base64') : giveUp('Base64');
}

function digesting(
  name: string,
  method: string,
  digest: (module: RubyModule, data: Value) => Value,
): readonly [string, Construct] {
  return [
    `Digest::${name}.${method}`,
    (args) => (args.length === 1 ? digest(digestClass(name), at(args, 0)) : giveUp('such a digest')),
  ];
}

/** Calls of modules that are defined elsewhere: Puppet, and Ruby's own library. */

import { baseName, directoryName, joinPaths, resolvePath } from '../values/file-names.ts';
import { callUnknown } from './call-unknown.ts';
import type { Call, Methods } from './calls.ts';
import { registerType } from './resource-api.ts';
import { RubyModule } from './ruby-module.ts';
import { newType } from './type-calls.ts';
import { Unmodelled } from './unmodelled.ts';
import { GemVersion, nameOf, RubyPath, RubyRegexp, textOf, Unknown, type Value } from './values.ts';

export function callForeign(module: RubyModule, call: Call): Value {
  const known = methods.get(`${module.path}.${call.name}`)?.(call);
  if (known !== undefined) return known;
  // A question about another type: whatever the answer is, it is no part of this one.
  if (/^Puppet::Type::\w+$/.test(module.path) && QUESTIONS.has(call.name) && call.block === undefined) {
    return new Unknown(`${module.path}.${call.name}`);
  }
  if (isClosed(module.path)) throw new Unmodelled(`the method ${call.name} of ${module.path}`);
  return callUnknown(module.path, call);
}

const QUESTIONS: ReadonlySet<string> = new Set([
  'attrclass',
  'defaultprovider',
  'instances',
  'paramclass',
  'propertybyname',
  'provider',
  'providers',
  'validattr?',
]);

const methods: Methods<[Call]> = new Map(
  Object.entries<(call: Call) => Value | undefined>({
    'Puppet::Type.newtype': ({ args, block, interpreter }) =>
      newType(nameOf(args[0] ?? null), block, interpreter),
    'Puppet::Type.type': ({ args, interpreter }) => {
      const name = nameOf(args[0] ?? null).toLowerCase();
      const constant = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      return interpreter.types.get(name) ?? interpreter.foreign(`Puppet::Type::${constant}`);
    },
    'Puppet::Type.metaparams': () => new Unknown('Puppet::Type.metaparams'),
    'Puppet::ResourceApi.register_type': ({ args, interpreter }) =>
      registerType(args[0] ?? null, interpreter),
    'Puppet.version': ({ interpreter }) => interpreter.files.puppetVersion,
    'Puppet.debug': () => null,
    'Puppet.info': () => null,
    'Puppet.notice': () => null,
    'Puppet.warning': () => null,
    'Puppet.deprecation_warning': () => null,
    'Gem::Version.new': ({ args }) => versionOf(args[0] ?? null),
    'Puppet::Util::Package.versioncmp': ({ args: [a, b] }) => compareReleases(a ?? null, b ?? null),
    'Regexp.new': ({ args: [pattern, options] }) => newRegexp(pattern ?? null, options),
    'Regexp.union': ({ args }) => unionOf(args.flat() as Value[]),
    'Regexp.escape': ({ args }) => escapeRegexp(textOf(args[0] ?? null)),
    'Pathname.new': ({ args }) => new RubyPath(textOf(args[0] ?? null)),
    'File.join': ({ args }) => joinPaths((args.flat() as Value[]).map(textOf)),
    'File.dirname': ({ args }) => directoryName(textOf(args[0] ?? null)),
    'File.basename': ({ args: [path, suffix = ''] }) => baseName(textOf(path ?? null), textOf(suffix)),
    'File.expand_path': ({ args: [path, base = '/'] }) => resolvePath(textOf(base), textOf(path ?? null)),
    'Proc.new': ({ block }) => block,
    // Only an agent that manages a device from outside has one.
    'Puppet::Util::NetworkDevice.current': () => null,
    'Class.new': anonymousClass,
    'Module.new': anonymousClass,
  }),
);

/** True for modules of Puppet and of Ruby that define no attributes when they are mixed in. */
export function isPartOfPuppet(path: string): boolean {
  return PARTS_OF_PUPPET.has(path) || /^Puppet::(Parameter|Property)(::\w+)*$/.test(path);
}

const PARTS_OF_PUPPET: ReadonlySet<string> = new Set([
  'Comparable',
  'Enumerable',
  'FileUtils',
  'Puppet::Util',
  'Puppet::Util::Backups',
  'Puppet::Util::Checksums',
  'Puppet::Util::Diff',
  'Puppet::Util::Docs',
  'Puppet::Util::Errors',
  'Puppet::Util::Execution',
  'Puppet::Util::Logging',
  'Puppet::Util::Package',
  'Puppet::Util::POSIX',
  'Puppet::Util::SUIDManager',
  'Puppet::Util::SymbolicFileMode',
  'Puppet::Util::Warnings',
]);

/** What a call could change types through. */
function isClosed(path: string): boolean {
  return /^Puppet::(Type|Parameter|Property|ResourceApi|MetaType|Util::ClassGen)(::|$)/.test(path);
}

function versionOf(text: Value): GemVersion | undefined {
  return typeof text === 'string' && /^\d+(\.\d+)*$/.test(text) ? new GemVersion(text) : undefined;
}

function escapeRegexp(text: string): string | undefined {
  // White space becomes letters: not needed yet.
  return /\s/.test(text)
    ? undefined
    : text.replace(/[[\]{}()|\-*.\\?+^$#]/g, (character) => `\\${character}`);
}

function compareReleases(a: Value, b: Value): Value | undefined {
  const [left, right] = [versionOf(a), versionOf(b)];
  return left === undefined || right === undefined ? undefined : left.compare(right);
}

function newRegexp(pattern: Value, options: Value | undefined): RubyRegexp | undefined {
  if (pattern instanceof RubyRegexp) return pattern;
  if (typeof pattern !== 'string') return undefined;
  if (options === undefined || options === null || options === false) return new RubyRegexp(pattern, 0);
  return typeof options === 'number' ? new RubyRegexp(pattern, options) : undefined;
}

function unionOf(parts: readonly Value[]): RubyRegexp | undefined {
  const [only, ...more] = parts;
  if (only instanceof RubyRegexp && more.length === 0) return only;
  if (!parts.every((part) => part instanceof RubyRegexp)) return undefined;
  return new RubyRegexp(parts.map(textOf).join('|'), 0);
}

function anonymousClass({ args: [superclass], block, interpreter }: Call): Value | undefined {
  if (superclass !== undefined && !(superclass instanceof RubyModule)) return undefined;
  if (superclass?.path === 'Puppet::Type') return undefined;
  const created = new RubyModule('', {
    isForeign: false,
    ...(superclass === undefined ? {} : { superclass }),
  });
  if (block !== undefined) interpreter.callProc(block, [created], created);
  return created;
}

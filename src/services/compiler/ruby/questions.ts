/** What Ruby code may ask while it runs, by the names that the shim uses. Answers are JSON. */

import type { RubyCaller, RubyResource } from '../../../language/evaluator/index.ts';
import { type LogLevel, legacyArgument } from '../../../language/functions/index.ts';
import { LookupContext } from '../../../language/hiera/index.ts';
import { puppetVersionOf } from '../../../language/levels/index.ts';
import {
  AliasType,
  assertInstance,
  describeMismatch,
  fault,
  fromData,
  IteratorValue,
  infer,
  inferDetailed,
  invokeMember,
  iterableOf,
  PuppetHash,
  parseType,
  SemVerRangeValue,
  SemVerValue,
  stringify,
  toData,
  type Value,
} from '../../../language/pcore/index.ts';
import { physicalPath, withLogicalPaths } from './code-paths.ts';
import type { RubySession } from './ruby-session.ts';
import { writeLegacyValue } from './write-value.ts';

type Answer = (session: RubySession, args: readonly unknown[]) => string;

const json = JSON.stringify;

/** What the reference calls the kinds of code. */
const SOURCE_TYPES = { top: 'hostclass', node: 'node', class: 'hostclass', define: 'definition' } as const;

const messages: Readonly<Record<string, Answer>> = {
  log: (session, [messages]) => {
    for (const [level, message] of messages as readonly (readonly [LogLevel, string])[]) {
      session.caller.context.log(level, logical(session, message));
    }
    return 'null';
  },
  warnOnce: (session, [kind, key, message]) => {
    if (!isDisabled(session, String(kind))) warnOnce(session, key, message);
    return 'null';
  },
  deprecated: (session, [key, message]) => {
    warnOnce(session, key, message, 'deprecation');
    return 'null';
  },
};

const settings: Readonly<Record<string, Answer>> = {
  setting: (session, [name]) => session.write(setting(session, String(name))),
  version: ({ caller: { context } }) =>
    json(context.scope.find('::serverversion') ?? puppetVersionOf(context.environment.config.settings)),
  hasPson: ({ caller: { context } }) => json(context.environment.config.settings.level.hasPson),
  certname: ({ caller }) => json(caller.context.certname),
  environment: ({ caller }) => json(caller.context.environment.name),
  codeId: ({ caller }) => json(caller.catalog.codeId),
  manifest: ({ caller, owner }) =>
    json(physicalPath(caller.context.environment.config.manifest, owner.paths)),
  modulepath: ({ caller, owner }) =>
    json(caller.context.environment.config.modulepath.map((path) => physicalPath(path, owner.paths))),
  modules: ({ caller, owner }) =>
    json(
      Array.from(caller.context.environment.modules.values(), ({ name, directory }) => [
        name,
        physicalPath(directory, owner.paths),
      ]),
    ),
  modulePath: (session, [name]) =>
    path(session, session.caller.context.environment.modules.get(String(name))?.directory),
  findTemplate: (session, [name]) =>
    path(session, session.caller.context.environment.findTemplate(String(name))),
  findFile: (session, [name]) => path(session, session.caller.context.environment.findFile(String(name))),
  typeFile: (session, [name]) => typeFile(session, String(name)),
  typesDefining: ({ caller }, [name]) => json(caller.context.environment.typesDefining(String(name))),
  stack: ({ caller }) =>
    json(
      Array.from(caller.callers(), ({ file, line }) => [
        file === undefined || file === '' ? 'unknown' : file,
        line ?? 0,
      ]),
    ),
};

const scopes: Readonly<Record<string, Answer>> = {
  lookupvar: (session, [id, name]) => {
    const found = session.callerOf(id).scope.variable(String(name));
    if (found.value !== undefined) return `[true,${session.writeVariable(found.value)}]`;
    return `[false,null,${json(found.reason ?? null)}]`;
  },
  isVariable: (session, [id, name]) => {
    const text = String(name).replace(/^::/, '');
    if (text === 'module_name' || text === 'caller_module_name') return 'true';
    return json(session.callerOf(id).scope.variable(String(name)).value !== undefined);
  },
  isBound: (session, [id, name]) => json(session.callerOf(id).scope.isLocal(String(name))),
  setvar: (session, [id, name, value, object]) => {
    const read = session.read(value);
    session.callerOf(id).scope.setVariable(String(name), read);
    session.remember(read, Number(object));
    return 'null';
  },
  variables: (session, [id, includesUndef]) =>
    session.write(variables(session.callerOf(id), includesUndef === true)),
  defaults: (session, [id, type]) =>
    session.write(new PuppetHash(session.callerOf(id).scope.defaults(String(type)))),
  resource: (session, [id]) => resourceText(session, session.callerOf(id).scope.resource),
  source: (session, [id]) => {
    const { kind, sourceName, sourceModule } = session.callerOf(id).scope;
    return json([sourceName, sourceModule ?? null, SOURCE_TYPES[kind]]);
  },
  kind: (session, [id]) => json(session.callerOf(id).scope.kind),
  moduleName: (session, [id]) => json(session.callerOf(id).context.scope.moduleName ?? null),
  scopeName: (session, [id]) => {
    const { resource } = session.callerOf(id).scope;
    return json(resource === undefined ? '' : `${resource.type}[${resource.title}]`);
  },
  tags: (session, [id]) => json([...session.callerOf(id).context.scope.tags()]),
};

const catalogs: Readonly<Record<string, Answer>> = {
  classes: ({ caller }) => json(caller.catalog.classes),
  catalogTags: ({ caller }) => json([...caller.catalog.tags]),
  findResource: (session, [type, title]) =>
    resourceText(session, session.caller.catalog.find(String(type), String(title))),
  resources: (session) => {
    const all = [...session.caller.catalog.resources()];
    return `[${all.map((resource) => resourceText(session, resource)).join(',')}]`;
  },
  isClass: (session, [, name]) => json(session.caller.context.catalog.isClassKnown(bare(name))),
  titleNames: (session, [type, title]) =>
    session.write(new PuppetHash(session.caller.catalog.titleNames(String(type), String(title)))),
  isDefine: (session, [, name]) => json(session.caller.catalog.isDefineKnown(bare(name))),
  isType: (session, [name]) => json(session.caller.context.catalog.isTypeKnown(bare(name))),
};

const functions: Readonly<Record<string, Answer>> = {
  callFunction: (session, [id, name, args, block, unknown]) => {
    const { context } = session.callerOf(id);
    const called = String(name);
    if (!context.isFunctionKnown(called)) throw fault(String(unknown));
    return session.write(context.callFunction(called, session.readAll(args), session.readBlock(block)));
  },
  callLegacy: (session, [id, name, args]) =>
    session.write(
      session.callerOf(id).context.callFunction(String(name), session.readAll(args).map(legacyArgument)),
    ),
  legacyFile: (session, [name]) =>
    path(session, session.caller.context.environment.legacyFunctionFile(String(name))),
  isFunction: (session, [name]) => json(session.caller.context.isFunctionKnown(String(name))),
  selectDispatch: (session, [path, args, block]) =>
    json(session.owner.selectDispatch(String(path), session.readAll(args), session.readBlock(block))),
  block: (session, [id, args]) => {
    const block = session.holder.blocks.get(id);
    if (block === undefined) throw fault('Ruby code has kept a block from an earlier call');
    return session.write(block.call(session.readAll(args)));
  },
};

const types: Readonly<Record<string, Answer>> = {
  parseType: (session, [text]) => session.write(parseType(String(text), session.caller.types)),
  isInstance: (session, [type, value]) => json(session.readType(type).isInstance(session.read(value))),
  isAssignable: (session, [type, other]) =>
    json(session.readType(type).isAssignable(session.readType(other))),
  resolvedType: (session, [type]) => {
    const read = session.readType(type);
    return session.write(read instanceof AliasType ? read.resolved : read);
  },
  generalize: (session, [type]) => session.write(session.readType(type).generalize()),
  infer: (session, [how, value]) => {
    const read = session.read(value);
    return session.write(how === 'set' ? inferDetailed(read) : infer(read));
  },
  describeMismatch: (session, [name, expected, actual]) =>
    json(describeMismatch(String(name), session.readType(expected), session.readType(actual))),
  assertInstance: (session, [subject, type, value]) => {
    assertInstance(String(subject), session.readType(type), session.read(value));
    return 'null';
  },
  text: (session, [value]) => json(stringify(session.read(value))),
  strftime: (session, [value, format, timezone]) => {
    const args = [session.read(value), String(format), ...(timezone === null ? [] : [String(timezone)])];
    return session.write(session.caller.context.callFunction('strftime', args));
  },
  inRange: (_session, [range, version]) =>
    json(SemVerRangeValue.parse(String(range)).includes(SemVerValue.parse(String(version)))),
  toData: (session, [value, isRich]) =>
    session.write(toData(session.read(value), { isRich: isRich === true })),
  fromData: (session, [value]) =>
    session.write(fromData(session.read(value), { resolver: session.caller.types })),
};

const objects: Readonly<Record<string, Answer>> = {
  contextMethod: (session, [id, name, args, block]) => {
    const context = session.holder.values.get(id);
    if (!(context instanceof LookupContext))
      throw fault('Ruby code has kept a context from an earlier lookup');
    const result = context.callMethod(String(name), session.readAll(args), session.readBlock(block));
    return session.write(result instanceof IteratorValue ? result.toArray() : result);
  },
  hasMember: (session, [id, name]) =>
    json(invokeMember(session.holder.values.get(id) ?? null, String(name)) !== undefined),
  member: (session, [id, name]) =>
    session.write(invokeMember(session.holder.values.get(id) ?? null, String(name)) ?? null),
  items: (session, [id]) => {
    const iterable = iterableOf(session.holder.values.get(id) ?? null);
    return session.write([...(iterable ?? [])]);
  },
};

export const questions: ReadonlyMap<string, Answer> = new Map(
  [messages, settings, scopes, catalogs, functions, types, objects].flatMap((group) => Object.entries(group)),
);

function logical(session: RubySession, text: unknown): string {
  return withLogicalPaths(String(text), session.owner.paths);
}

function warnOnce(
  session: RubySession,
  key: unknown,
  message: unknown,
  kind: 'unique' | 'deprecation' = 'unique',
): void {
  session.caller.context.warnOnce(String(key), logical(session, message), kind);
}

function isDisabled({ caller }: RubySession, kind: string): boolean {
  const { disableWarnings } = caller.context.environment.config.settings;
  return disableWarnings.some((disabled) => disabled === kind);
}

function setting({ caller }: RubySession, name: string): Value {
  const { settings: known } = caller.context.environment.config;
  switch (name) {
    case 'strict':
      return known.strict;
    case 'strict_variables':
      return known.strictVariables;
    case 'disable_warnings':
      return known.disableWarnings;
    case 'rich_data':
      return known.richData;
    case 'environment':
      return caller.context.environment.name;
    default:
      return known.visible[name] ?? null;
  }
}

function path({ owner }: RubySession, logicalPath: string | undefined): string {
  return json(logicalPath === undefined ? null : physicalPath(logicalPath, owner.paths));
}

/** Where a resource type is defined in Ruby; else what is known of one that is built in. */
function typeFile({ caller, owner }: RubySession, name: string): string {
  const { environment } = caller.context;
  const file = environment.rubyTypeFile(name);
  if (file !== undefined) return json([physicalPath(file, owner.paths)]);
  const known = environment.findResourceType(name);
  if (known === undefined) return '[null,null]';
  const { isIsomorphic, namevars, parameters, properties } = known;
  return json([null, { isIsomorphic, namevars, parameters: [...parameters], properties: [...properties] }]);
}

function bare(name: unknown): string {
  return String(name).replace(/^::/, '').toLowerCase();
}

function variables({ scope }: RubyCaller, includesUndef: boolean): PuppetHash {
  const hash = new PuppetHash();
  for (const [name, value] of scope.variables()) {
    if (value === null && !includesUndef) hash.delete(name);
    else hash.set(name, value);
  }
  return hash;
}

function resourceText(session: RubySession, resource: RubyResource | undefined): string {
  if (resource === undefined) return 'null';
  const { type, title, file, line, isVirtual, isExported, tags, parameters } = resource;
  const about = json({ type, title, file, line, virtual: isVirtual, exported: isExported, tags: [...tags] });
  return `${about.slice(0, -1)},"parameters":${writeLegacyValue(new PuppetHash(parameters), session.holder)}}`;
}

/** Questions about the catalog, as methods of several objects ask them. */

import type { Value } from '../pcore/index.ts';
import { at, text } from './arguments.ts';
import type { PuppetAccess } from './puppet-access.ts';
import type { Run } from './run.ts';
import { giveUp } from './signals.ts';
import { RubySymbol } from './values/ruby-values.ts';

/** `findresource(type, title)` of scopes. */
export function findResource(args: readonly Value[], run: Run): ReturnType<PuppetAccess['findResource']> {
  const [type, title] = [text(at(args, 0)), text(at(args, 1))];
  if (args.length !== 2 || type.toLowerCase() === 'class' || type.includes('['))
    return giveUp('such a resource');
  run.effects.beforeFinding(type, title);
  return access(run).findResource(typeName(type), title);
}

/** `Puppet[:name]` */
export function setting(name: Value, run: Run): Value {
  const isStrict = name instanceof RubySymbol && name.name === 'strict';
  return isStrict ? new RubySymbol(access(run).strict) : giveUp('such a setting');
}

export function access(run: Run): PuppetAccess {
  return run.context.puppet ?? giveUp('a question about the catalog');
}

/** `apache::vhost` as `Apache::Vhost`. */
export function typeName(name: string): string {
  if (name === '' || /[^\w:]/.test(name) || /^(?:main|component)$/i.test(name)) return giveUp('such a type');
  const segments = name.replace(/(?:::)+$/, '').split('::');
  return segments
    .map((segment) => segment.charAt(0).toUpperCase() + segment.slice(1).toLowerCase())
    .join('::');
}

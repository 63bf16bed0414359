/** Methods of Puppet's own modules that functions call. */

import type { Value } from '../../pcore/index.ts';
import { at, text } from '../arguments.ts';
import type { PuppetLogLevel } from '../puppet-access.ts';
import { access, setting, typeName } from '../puppet-access-calls.ts';
import type { Run } from '../run.ts';
import { giveUp } from '../signals.ts';
import { RubyModule, UNUSABLE } from '../values/ruby-values.ts';
import { toText } from '../values/text.ts';

type Construct = (args: readonly Value[], run: Run) => Value;

const RESOURCES = 'Puppet::Pops::Evaluator::Runtime3ResourceSupport';

export const puppetCalls: ReadonlyMap<string, Construct> = new Map<string, Construct>([
  ...(['debug', 'info', 'notice', 'warning', 'err'] as const).map(
    (level) => [`Puppet.${level}`, logging(level)] as const,
  ),
  ['Puppet.settings', () => new RubyModule('Puppet')],
  ['Puppet.[]', (args, run) => setting(at(args, 0), run)],
  ['ENV.[]', (args, run) => access(run).environmentVariable(text(at(args, 0))) ?? null],
  [
    'Puppet::Pops::PuppetStack.stacktrace',
    (args, run) => (args.length === 0 ? callers(run) : giveUp('a part of the stack')),
  ],
  ['Puppet.version', (_args, run) => access(run).version],
  ['Puppet::Util::Package.versioncmp', versionComparison],
  ['Puppet::Parser::Functions.function', (args, run) => loaded(toText(at(args, 0)), run)],
  ['Puppet::Resource.type_and_title', (args, run) => typeAndTitle(args, run)],
  [`${RESOURCES}.find_resource_type_or_class`, findTypeOrClass],
]);

function logging(level: PuppetLogLevel): Construct {
  return (args, run) => {
    const message = args.length === 1 ? text(at(args, 0)) : giveUp('such a message');
    const puppet = access(run);
    run.effects.defer('message', () => {
      puppet.log(level, message);
    });
    return null;
  };
}

function callers(run: Run): Value {
  return run.own(
    access(run)
      .callers()
      .map(([file, line]) => run.own([file, line])),
  );
}

/** `Puppet.deprecation_warning(message, key)`. @param place - of the call, as a backtrace has it, without the file */
export function deprecation(place: string): Construct {
  return (args, run) => {
    const [message, key] =
      args.length === 2 ? [text(at(args, 0)), text(at(args, 1))] : giveUp('such a deprecation');
    const puppet = access(run);
    const file = run.file ?? giveUp('a deprecation out of nowhere');
    run.effects.defer('message', () => {
      puppet.deprecated(key, `${message}\n   (location: ${file}:${place})`);
    });
    return null;
  };
}

function versionComparison(args: readonly Value[], run: Run): Value {
  if (args.length !== 2) return giveUp('versioncmp with other arguments');
  return run.context.callFunction('versioncmp', [text(at(args, 0)), text(at(args, 1))]);
}

/** Functions of the older kind are loaded by asking for them. */
function loaded(name: string, run: Run): Value {
  return run.context.isFunctionKnown(name) ? UNUSABLE : giveUp(`the function ${name}, which is not known`);
}

const REFERENCE = /^([^[\]]+)\[([\s\S]+)\]$(?![\s\S])/;

function typeAndTitle(args: readonly Value[], run: Run): Value {
  const [, type = '', title = ''] = REFERENCE.exec(text(at(args, 0))) ?? giveUp('no reference');
  const isPlain = args.length === 2 && at(args, 1) === null && !/^(?:class|component)$/i.test(type);
  return isPlain ? run.own([typeName(type), title]) : giveUp('such a reference');
}

function findTypeOrClass(args: readonly Value[], run: Run): Value {
  run.effects.beforeTypeQuestion();
  const name = args.length === 2 ? text(at(args, 1)) : giveUp('such a question for a type');
  const puppet = access(run);
  return puppet.isTypeKnown(name) || puppet.isClassKnown(name) ? typeName(name) : null;
}

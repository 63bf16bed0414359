/** Runs a Puppetfile: what it declares, as far as it can be told without real Ruby. */

import { PuppetHash, type Value } from '../../../language/pcore/index.ts';
import {
  giveUp,
  type Profile,
  RubyEnvironment,
  RubySymbol,
  raise,
  runProgram,
  type SelfFunction,
} from '../../../language/ruby/index.ts';
import type { RubyProgram } from '../../../lib/ruby-syntax/index.ts';
import { encodeValue } from './encoded-value.ts';
import type { EncodedContent, EncodedModule } from './puppetfile-content.ts';
import { NotUnderstood, PuppetfileError } from './puppetfile-error.ts';

const mostModules = 100_000;

/**
 * @param text - what the program was parsed from
 * @param environment - what `ENV` has
 * @throws NotUnderstood for what only real Ruby knows
 * @throws PuppetfileError for what is wrong in Ruby, too
 */
export function evaluatePuppetfile(
  program: RubyProgram,
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): EncodedContent {
  if (program.error !== undefined) throw new PuppetfileError(program.error.message, program.error.offset);
  const file = new Puppetfile(environment);
  const end = runProgram(program, text, file);
  if (end.kind === 'given-up') throw new NotUnderstood(end.reason, end.offset);
  if (end.kind === 'failed') throw new PuppetfileError(end.message, end.offset);
  return { forge: file.forge, modules: file.modules };
}

/** Methods of Ruby's Kernel: they would be found before it is said that a declaration is not known. */
const KERNEL =
  /^(require|require_relative|load|eval|instance_eval|raise|fail|abort|exit|system|exec|open|lambda|proc|loop|rand|sleep|`|binding|caller|send|public_send|method|methods|define_method|basedir|basename|Hash|__dir__|class|tap|then|freeze|frozen\?|hash|inspect|to_s|dup|clone|itself|object_id|catch|throw|gets|srand|srandom|trap|at_exit|fork|spawn|test|putc|autoload|Rational|Complex|is_a\?|kind_of\?|nil\?|respond_to\?|instance_variable_\w+|extend|singleton_class|define_singleton_method|pp|printf|readline|readlines|select|local_variables|global_variables|block_given\?|iterator\?|set_trace_func|trace_var|untrace_var|syscall|exit!|__method__|__callee__|__id__|__send__|instance_exec|instance_of\?|instance_variables|singleton_methods?|public_methods?|private_methods|protected_methods|public_method|to_enum|enum_for|display|yield_self)$/;

/** What a Puppetfile is to itself. */
class Puppetfile implements Profile {
  readonly modules: EncodedModule[] = [];
  forge: string | undefined;
  readonly constants: ReadonlyMap<string, Value>;
  readonly hasConstants = true;
  readonly hasMethods = true;
  private moduleDirectory: string | undefined;

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    const entries = Object.entries(environment).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    this.constants = new Map([['ENV', new RubyEnvironment(entries)]]);
  }

  find(name: string): SelfFunction | undefined {
    switch (name) {
      case 'forge':
        return ([location]) => {
          this.forge = textOf(name, location);
          return null;
        };
      case 'moduledir':
        return ([directory]) => {
          this.moduleDirectory = textOf(name, directory);
          return null;
        };
      case 'mod':
        return (args, { offset }) => {
          this.addModule(args, offset);
          return null;
        };
      case 'puts':
      case 'print':
      case 'warn':
        return () => null;
      case 'p':
        return (args) => (args.length === 1 ? (args[0] ?? null) : giveUp('p'));
      default:
        return undefined;
    }
  }

  missing(name: string): SelfFunction | undefined {
    return KERNEL.test(name) ? undefined : () => raise(`unrecognized declaration '${name}'`);
  }

  private addModule(args: readonly Value[], offset: number): void {
    const [title, value = null, ...more] = args;
    if (title === undefined || more.length > 0)
      raise(`wrong number of arguments (given ${args.length}, expected 1..2)`);
    if (this.modules.length >= mostModules) giveUp('code that runs for long');
    const isKnown = value === null || typeof value === 'string' || value instanceof RubySymbol;
    if (!isKnown && !(value instanceof PuppetHash))
      giveUp('a module whose arguments are neither a hash nor a version');
    this.modules.push({
      title: textOf('mod', title),
      // As it is now: a hash may be changed later.
      args: encodeValue(value),
      moduleDirectory: this.moduleDirectory,
      offset,
    });
  }
}

function textOf(what: string, value: Value | undefined): string {
  return typeof value === 'string' ? value : giveUp(`${what} with something that is no string`);
}

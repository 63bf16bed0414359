/** One way to run functions: with the interpreter before Ruby, or in Ruby alone. */

import type { Environment, RubyFunctionFile } from '../../src/language/environment/index.ts';
import { Float, isArray, PuppetHash, SensitiveValue, type Value } from '../../src/language/pcore/index.ts';
import type { InterpretedFunctions } from '../../src/language/ruby/index.ts';
import { PuppetError } from '../../src/language/syntax/index.ts';
import { DEFAULT_COMMANDS } from '../../src/platform/ruby/index.ts';
import { RubyEnvironment } from '../../src/services/compiler/ruby/index.ts';
import { withRubyCaller } from '../support/ruby-caller.ts';

export class FunctionSide {
  private readonly ruby: RubyEnvironment;
  private readonly environment: Environment;
  private layer: string | undefined;

  constructor(environment: Environment, interpreter?: InterpretedFunctions) {
    this.environment = environment;
    const { directory } = environment.config;
    this.ruby = new RubyEnvironment({
      environment,
      commands: DEFAULT_COMMANDS,
      paths: { logicalDirectory: directory, physicalDirectory: directory },
      ...(interpreter === undefined ? {} : { interpreter }),
      observe: {
        measure: (_served, layer, work) => {
          try {
            return work();
          } finally {
            this.layer = layer();
          }
        },
        started: () => {},
        ended: () => {},
      },
    });
  }

  close(): void {
    this.ruby.close();
  }

  /** @returns the result or the message, with the resources that there are now; and who served the call */
  call(
    name: string,
    file: RubyFunctionFile,
    args: readonly Value[],
  ): { readonly text: string; readonly layer: string | undefined } {
    let text = '';
    this.layer = undefined;
    const run = () =>
      withRubyCaller(
        this.environment,
        (caller) => {
          text = attempt(() => show(this.ruby.callFunction({ name, file, args, block: undefined }, caller)));
          text += Array.from(caller.catalog.resources(), ({ parameters, title, type }) =>
            type === 'Stage' || type === 'Class'
              ? ''
              : `; ${type}[${title}] ${show(new PuppetHash(parameters))}`,
          ).join('');
        },
        this.ruby,
      );
    const outer = attempt(() => {
      run();
      return '';
    });
    return { text: text + outer, layer: this.layer };
  }
}

function attempt(run: () => string): string {
  try {
    return run();
  } catch (error) {
    if (error instanceof PuppetError) return `error: ${error.message}`;
    throw error;
  }
}

export function show(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (isArray(value)) return `[${value.map(show).join(', ')}]`;
  if (value instanceof PuppetHash)
    return `{${Array.from(value, ([key, item]) => `${show(key)} => ${show(item)}`).join(', ')}}`;
  if (value instanceof Float) return `Float ${value.value}`;
  if (value instanceof SensitiveValue) return `Sensitive ${show(value.unwrap())}`;
  return `${value.constructor.name} ${String(value)}`;
}

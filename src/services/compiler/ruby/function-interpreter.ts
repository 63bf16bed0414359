/** Functions of an environment that are run without Ruby. */

import type { FileTree, RubyFunctionFile } from '../../../language/environment/index.ts';
import { InterpretedPlace, type RubyCaller, type RubyHost } from '../../../language/evaluator/index.ts';
import type { Value } from '../../../language/pcore/index.ts';
import {
  type Effects,
  type FunctionPlace,
  giveUp,
  hasReference,
  type InterpretedFunction,
  type InterpretedFunctions,
} from '../../../language/ruby/index.ts';

export interface InterpretedCall {
  readonly name: string;
  readonly file: RubyFunctionFile;
  /** Of a function of the newer kind: what the chosen signature calls. */
  readonly method?: string;
}

/** Who loads functions, and runs them when they are given up. */
export interface FunctionHost extends RubyHost {
  /** The method behind the signature that fits, of the function in that file. @throws GiveUp, PuppetError when none does */
  methodFor(path: string, args: readonly Value[]): string;
}

type Outcome = ReturnType<InterpretedFunction['call']>;

export class FunctionInterpreter {
  private readonly functions: InterpretedFunctions;
  private readonly files: FileTree;
  private readonly host: FunctionHost;
  private readonly known = new Map<string, InterpretedFunction>();

  constructor(functions: InterpretedFunctions, files: FileTree, host: FunctionHost) {
    this.functions = functions;
    this.files = files;
    this.host = host;
  }

  call(call: InterpretedCall, args: readonly Value[], caller: RubyCaller, effects: Effects): Outcome {
    // Functions of the older kind see resources there; those that are modelled have been converted.
    if (call.file.api === '3.x' && args.some(hasReference)) return REFERENCES;
    return this.function(call).call(args, this.place(call, caller, effects), call.method);
  }

  /** @throws GiveUp */
  value(call: InterpretedCall, args: readonly Value[], caller: RubyCaller, effects: Effects): Value {
    const outcome = this.call(call, args, caller, effects);
    return outcome.kind === 'returned' ? outcome.value : giveUp(outcome.reason);
  }

  private function({ file, name }: InterpretedCall): InterpretedFunction {
    let found = this.known.get(file.path);
    if (found === undefined) {
      found = this.functions.get(name, this.files.readText(file.path) ?? '');
      this.known.set(file.path, found);
    }
    return found;
  }

  private place({ file }: InterpretedCall, caller: RubyCaller, effects: Effects): FunctionPlace {
    return new CalledPlace(this.host, file.path, caller, effects);
  }
}

/** Where a function is called. */
class CalledPlace implements FunctionPlace {
  readonly caller: InterpretedPlace;
  readonly effects: Effects;
  readonly file: string;
  private readonly host: FunctionHost;
  private readonly rubyCaller: RubyCaller;

  constructor(host: FunctionHost, file: string, caller: RubyCaller, effects: Effects) {
    this.caller = new InterpretedPlace(caller, host);
    this.effects = effects;
    this.file = file;
    this.host = host;
    this.rubyCaller = caller;
  }

  get isForKey(): boolean {
    return this.rubyCaller.isForKey;
  }

  get top(): InterpretedPlace {
    return new InterpretedPlace(this.rubyCaller.top, this.host);
  }

  methodFor(args: readonly Value[]): string {
    return this.host.methodFor(this.file, args);
  }
}

const REFERENCES: Outcome = { kind: 'given-up', reason: 'references' };

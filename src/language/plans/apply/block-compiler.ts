/** Compiles the block of `apply()` for one target after the other, as a catalog of its node. */

import { renderCatalog } from '../../catalog/index.ts';
import type { Environment } from '../../environment/index.ts';
import {
  CompileError,
  type CompileRequest,
  type CompileTermini,
  compileCatalog,
  extendLanguage,
  type ManifestBlock,
  toExactJson,
} from '../../evaluator/index.ts';
import type { BuiltinFunction, LogLevel } from '../../functions/index.ts';
import { PuppetHash, plainText, type Value } from '../../pcore/index.ts';
import { type Position, PuppetError, renderPosition } from '../../syntax/index.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';

/** The same version of the code as the plan's, for catalogs. */
export interface BlockEnvironment {
  /** Without a main manifest, and not strict: blocks are evaluated as in the reference. */
  readonly environment: Environment;
  readonly termini: CompileTermini;
}

export interface BlockTarget {
  readonly name: string;
  readonly facts: PuppetHash;
  readonly variables: PuppetHash;
}

export type CompiledBlock =
  /** The catalog in rich JSON. */
  { readonly kind: 'catalog'; readonly text: string } | { readonly kind: 'failed'; readonly message: string };

export interface BlockCompilerOptions extends BlockEnvironment, Pick<CompileRequest, 'isOutOfMemory'> {
  readonly functions: ReadonlyMap<string, BuiltinFunction>;
  readonly log: (level: LogLevel, message: string) => void;
}

export class BlockCompiler {
  private readonly options: BlockCompilerOptions;

  constructor(options: BlockCompilerOptions) {
    this.options = options;
    extendLanguage(options.environment, { functions: options.functions, types: PLAN_TYPES });
  }

  compile(block: ManifestBlock, target: BlockTarget): CompiledBlock {
    const { environment, isOutOfMemory, log, termini } = this.options;
    const facts = new PuppetHash(target.facts).set('bolt', true);
    // What code logs counts only when there is a catalog: an error says enough.
    const messages: (readonly [LogLevel, string])[] = [];
    const say = (level: LogLevel, message: string, position: Position = {}): void => {
      messages.push([level, `${target.name}: ${message}${renderPosition(position)}`]);
    };
    const variables = visibleVariables(block, target.variables, facts, say);
    try {
      const { catalog } = compileCatalog({
        certname: target.name,
        environment,
        facts: Object.fromEntries([...facts].map(([name, value]) => [plainText(name), toExactJson(value)])),
        trusted: { authenticated: 'local', certname: target.name, extensions: {}, external: {} },
        serverFacts: {},
        node: { classes: {}, parameters: {} },
        block: { program: block.program, variables },
        termini,
        log: say,
        ...(isOutOfMemory === undefined ? {} : { isOutOfMemory }),
      });
      const text = renderCatalog(catalog, 'application/vnd.puppet.rich+json');
      for (const message of messages) log(...message);
      return { kind: 'catalog', text };
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error;
      return { kind: 'failed', message: textOf(error) };
    }
  }
}

type Variables = ReadonlyMap<string, Value>;

/** Facts hide variables of the plan, and these hide variables of the target; each is said, as in the reference. */
function visibleVariables(
  block: ManifestBlock,
  ofTarget: PuppetHash,
  facts: PuppetHash,
  say: (level: LogLevel, message: string) => void,
): Variables {
  const hide = (variables: Variables, words: string, isHidden: (name: string) => boolean): Variables => {
    const hidden = [...variables.keys()].filter(isHidden);
    if (hidden.length > 0) say('warning', hiddenText(hidden, words));
    return new Map([...variables].filter(([name]) => !isHidden(name)));
  };
  const isFact = (name: string): boolean => facts.has(name);
  const target = new Map([...ofTarget].map(([name, value]) => [plainText(name), value] as const));
  const plan = hide(block.variables, 'Plan variable/fact', isFact);
  const rest = hide(target, 'Target variable/fact', isFact);
  return new Map([...hide(rest, 'Target variable/plan variable', (name) => plan.has(name)), ...plan]);
}

/** @param words - what is hidden, and by what */
function hiddenText(names: readonly string[], words: string): string {
  const [kind, by] = words.split('/');
  const plural = names.length === 1 ? '' : 's';
  const shown = names.map((name) => `$${name}`).join(', ');
  return `${kind}${plural} ${shown} will be overridden by ${by}${plural} of the same name in the apply block`;
}

/** What failed in a function or a resource says it without further words; any other mistake is said as agents are told. */
function textOf(error: PuppetError): string {
  const found = error instanceof CompileError && error.cause instanceof PuppetError ? error.cause : error;
  const { cause } = found;
  return cause instanceof PuppetError ? cause.message + renderPosition(found.diagnostic) : error.message;
}

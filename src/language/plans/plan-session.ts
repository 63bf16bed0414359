/** Running one plan: its environment, its inventory, its functions, and what came of it. */

import type { Json, JsonObject } from '../../lib/json.ts';
import type { Environment, Found } from '../environment/index.ts';
import { type ManifestBlock, Script, type ScriptRequest } from '../evaluator/index.ts';
import { PuppetHash, SensitiveValue, type Value } from '../pcore/index.ts';
import { type PlanDefinition, PuppetError } from '../syntax/index.ts';
import { BlockCompiler, type BlockEnvironment, type CompiledBlock } from './apply/block-compiler.ts';
import { blockFunctions } from './apply/block-functions.ts';
import { planFunctions } from './functions/plan-functions.ts';
import { checkedPlanResult } from './functions/run-plan.ts';
import { Inventory, type InventoryOptions } from './inventory/inventory.ts';
import { withQueriesAnswered } from './inventory/queries.ts';
import { valueOfJson } from './plan-data.ts';
import { failureOfPlan, PlanError, planErrorOf } from './plan-error.ts';
import { jsonOfResult } from './plan-json.ts';
import type { PlanWorld } from './plan-world.ts';
import { PlanEnded } from './run/branch.ts';
import type { PlanHost } from './run/plan-host.ts';
import { PlanRun } from './run/plan-run.ts';
import { PLAN_TYPES } from './values/plan-types.ts';
import type { TargetValue } from './values/target-value.ts';
import { planSource } from './yaml/plan-source.ts';

export interface PlanSessionOptions extends Pick<ScriptRequest, 'termini' | 'log' | 'isOutOfMemory'> {
  /** One with `isScript`, in which nothing has run yet. */
  readonly environment: Environment;
  readonly host: PlanHost;
  readonly inventory: InventoryOptions;
  /** For the blocks of `apply()`; called once, when the first one is compiled. */
  readonly blockEnvironment: () => BlockEnvironment;
}

export interface PlanOutcome {
  readonly status: 'success' | 'failure';
  /** What the plan returned, or `{kind, msg, details}` of its failure. */
  readonly value: Json;
}

class PlanSession implements PlanWorld {
  readonly environment: Environment;
  readonly host: PlanHost;
  readonly run: PlanRun;
  readonly inventory: Inventory;
  readonly script: Script;

  private readonly makeBlockCompiler: () => BlockCompiler;
  private blockCompiler: BlockCompiler | undefined;

  constructor({ blockEnvironment, environment, host, inventory, ...rest }: PlanSessionOptions) {
    const { isOutOfMemory, log } = rest;
    this.makeBlockCompiler = () =>
      new BlockCompiler({
        ...blockEnvironment(),
        functions: blockFunctions(this),
        log,
        ...(isOutOfMemory === undefined ? {} : { isOutOfMemory }),
      });
    this.environment = environment;
    this.host = host;
    this.run = new PlanRun(host);
    const read = (target: string, what: string) => this.run.once(() => this.inventory.read(target, what));
    this.inventory = new Inventory(inventory, { read });
    this.script = new Script({ environment, ...rest, functions: planFunctions(this), types: PLAN_TYPES });
  }

  targets(wanted: Value): readonly TargetValue[] {
    return this.run.once(() => this.inventory.find(withQueriesAnswered(wanted, this.host)));
  }

  compileBlock(block: ManifestBlock, targets: readonly TargetValue[]): readonly CompiledBlock[] {
    return this.run.onceAsAWhole(() => {
      this.blockCompiler ??= this.makeBlockCompiler();
      const compiler = this.blockCompiler;
      return targets.map(({ name }) => {
        const hash = (what: string): PuppetHash => {
          const value = this.inventory.read(name, what);
          return value instanceof PuppetHash ? value : new PuppetHash();
        };
        return compiler.compile(block, { name, facts: hash('facts'), variables: hash('vars') });
      });
    });
  }

  getPlan(name: string): Found<PlanDefinition> {
    const found = this.environment.findPlan(name, (yaml, file) => planSource(name, yaml, file));
    if (found !== undefined) return found;
    const message = `Could not find a plan named '${name}'. For a list of available plans, run 'bunraku plan list'.`;
    throw PlanError.of('bolt/unknown-plan', message);
  }

  callPlan(name: string, parameters: PuppetHash, runAs?: string): Value {
    const plan = this.getPlan(name);
    return this.run.within(name, runAs, () => this.script.callPlan(plan, parameters));
  }

  /** The plan that people asked for. What they give for a parameter of the type Sensitive becomes sensitive. */
  callFirst(name: string, given: JsonObject): Value {
    const types = new Map(this.script.parameters(this.getPlan(name)).map((each) => [each.name, each.type]));
    const parameters = new PuppetHash(
      Object.entries(given).map(([key, json]) => {
        const value = valueOfJson(json);
        const isSensitive = types.get(key)?.kind === 'Sensitive';
        return [key, isSensitive ? new SensitiveValue(value) : value] as const;
      }),
    );
    return checkedPlanResult(name, this.callPlan(name, parameters));
  }
}

/**
 * Runs a plan to its end, blocks in the background included.
 *
 * @throws errors that are not the plan's
 */
export function runPlanToEnd(options: PlanSessionOptions, name: string, parameters: JsonObject): PlanOutcome {
  const session = new PlanSession(options);
  try {
    const outcome = attempt(session, name, parameters);
    session.run.finish();
    return outcome;
  } catch (thrown) {
    const error = thrown instanceof PlanEnded ? thrown.error : thrown;
    if (!(error instanceof PuppetError)) throw error;
    return { status: 'failure', value: jsonOfResult(failureOfPlan(error)) };
  }
}

/** Mistakes in the code end everything at once; what plans can catch lets the background come to its end. */
function attempt(session: PlanSession, name: string, parameters: JsonObject): PlanOutcome {
  try {
    return { status: 'success', value: jsonOfResult(session.callFirst(name, parameters)) };
  } catch (error) {
    if (!(error instanceof PuppetError) || planErrorOf(error) === undefined) throw error;
    return { status: 'failure', value: jsonOfResult(failureOfPlan(error)) };
  }
}

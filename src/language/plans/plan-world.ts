/** What the functions of plans work with. */

import type { Environment, Found } from '../environment/index.ts';
import type { ManifestBlock, Script } from '../evaluator/index.ts';
import type { BuiltinFunction } from '../functions/index.ts';
import type { PuppetHash, Value } from '../pcore/index.ts';
import type { PlanDefinition } from '../syntax/index.ts';
import type { CompiledBlock } from './apply/block-compiler.ts';
import type { Inventory } from './inventory/inventory.ts';
import type { PlanHost } from './run/plan-host.ts';
import type { PlanRun } from './run/plan-run.ts';
import type { TargetValue } from './values/target-value.ts';

export interface PlanWorld {
  readonly environment: Environment;
  readonly host: PlanHost;
  readonly run: PlanRun;
  readonly inventory: Inventory;
  readonly script: Script;
  /** The targets that a value of the type TargetSpec stands for. */
  targets(wanted: Value): readonly TargetValue[];
  /** @throws PlanError when there is no such plan */
  getPlan(name: string): Found<PlanDefinition>;
  /** Compiles a block for targets, in their order. */
  compileBlock(block: ManifestBlock, targets: readonly TargetValue[]): readonly CompiledBlock[];
  /** @param runAs - whom actions run as that don't say it themselves */
  callPlan(name: string, parameters: PuppetHash, runAs?: string): Value;
}

/** A function of plans. One file for each, or for a few that differ in a word. */
export type PlanFunction = (world: PlanWorld) => BuiltinFunction;

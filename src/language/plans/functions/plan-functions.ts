/** All functions that plans have besides those of the language. */

import type { BuiltinFunction } from '../../functions/index.ts';
import type { PlanFunction, PlanWorld } from '../plan-world.ts';
import { apply } from './apply.ts';
import { applyPrep } from './apply-prep.ts';
import { background } from './background.ts';
import { catalogOperations } from './catalog-operations.ts';
import { catchErrors } from './catch-errors.ts';
import { controlFunctions } from './control-functions.ts';
import { downloadFile } from './download-file.ts';
import { failPlan } from './fail-plan.ts';
import { getResources } from './get-resources.ts';
import { messageFunctions } from './message-functions.ts';
import { newObject } from './new-object.ts';
import { parallelize } from './parallelize.ts';
import { resourceFunctions } from './resource-functions.ts';
import { runCommand } from './run-command.ts';
import { runPlan } from './run-plan.ts';
import { runScript } from './run-script.ts';
import { runTask } from './run-task.ts';
import { runTaskWith } from './run-task-with.ts';
import { serverFunctions } from './server-functions.ts';
import { targetFunctions } from './target-functions.ts';
import { uploadFile } from './upload-file.ts';
import { wait } from './wait.ts';
import { writeFile } from './write-file.ts';

const FUNCTIONS: readonly PlanFunction[] = [
  apply,
  applyPrep,
  background,
  ...catalogOperations,
  catchErrors,
  ...controlFunctions,
  downloadFile,
  failPlan,
  getResources,
  ...messageFunctions,
  newObject,
  parallelize,
  ...resourceFunctions,
  runCommand,
  runPlan,
  runScript,
  runTask,
  runTaskWith,
  ...serverFunctions,
  ...targetFunctions,
  uploadFile,
  wait,
  writeFile,
];

/** By name, for one run of a plan. */
export function planFunctions(world: PlanWorld): ReadonlyMap<string, BuiltinFunction> {
  return new Map(
    FUNCTIONS.map((make) => {
      const definition = make(world);
      return [definition.name, definition] as const;
    }),
  );
}

import { Environment, ParseCache, type ResourceTypeSource } from '../../../language/environment/index.ts';
import type { CompileTermini } from '../../../language/evaluator/index.ts';
import {
  describePlan,
  type PlanDescription,
  type PlanOutcome,
  runPlanToEnd,
} from '../../../language/plans/index.ts';
import { DiskFileTree } from '../../../lib/disk-file-tree.ts';
import type { PlanSource, PlanThreadData } from '../plan-protocol.ts';
import { ThreadHost } from './thread-host.ts';

export interface PlanThreadParts {
  /** What code reaches outside the language, Ruby included. */
  readonly termini: (environment: Environment, source: PlanSource) => CompileTermini;
  /** Reads resource types from Ruby files of modules. */
  readonly resourceTypes: ResourceTypeSource;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Loads the code and runs the plan. To be called once, in a thread that has nothing else to do. */
export function runPlanThread(data: PlanThreadData, parts: PlanThreadParts): PlanOutcome | PlanDescription {
  const { inventory, parameters, plan, source } = data;
  const files = new DiskFileTree(source.config.directory, source.physicalDirectory, source.mappings);
  const cache = new ParseCache();
  const environment = new Environment(scriptConfig(source), files, cache);
  if (data.isDescribed) return describePlan(environment, plan);
  const host = new ThreadHost(data, parts.variables);
  const termini = parts.termini(environment, source);
  // What functions of the language log is shown as that of the plan.
  const log: Parameters<typeof runPlanToEnd>[0]['log'] = (level, message) => {
    host.tell({ kind: 'log', level: LEVELS[level], message });
  };
  const blockEnvironment = () => {
    const compiled = new Environment(blockConfig(source), files, cache, parts.resourceTypes);
    const ownTermini = parts.termini(compiled, source);
    return { environment: compiled, termini: ownTermini };
  };
  const options = { environment, host, inventory, termini, log, blockEnvironment };
  return runPlanToEnd(options, plan, parameters);
}

/** Blocks of `apply()` have no main manifest, and are as strict as the reference is with them. */
function blockConfig({ config }: PlanSource): PlanSource['config'] {
  const settings = { ...config.settings, strict: 'warning', strictVariables: false } as const;
  return { ...config, code: '', settings };
}

/** Plans have no main manifest, and are strict about variables. */
function scriptConfig({ config }: PlanSource): PlanSource['config'] {
  return { ...config, code: '', isScript: true, settings: { ...config.settings, strictVariables: true } };
}

const LEVELS = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  err: 'error',
  alert: 'error',
  emerg: 'fatal',
  crit: 'fatal',
} as const;

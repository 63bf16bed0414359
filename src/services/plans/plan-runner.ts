/** Runs plans, each in a thread of its own, and does for them what they ask for. */

import { Worker } from 'node:worker_threads';
import type {
  InventoryOptions,
  PlanDescription,
  PlanEvent,
  PlanOutcome,
} from '../../language/plans/index.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Logger } from '../../platform/log/index.ts';
import { answerBlocking } from '../../platform/threads/index.ts';
import { ActionPort } from './action-port.ts';
import type { PlanAnswer, PlanQuestion, PlanSource, PlanThreadData } from './plan-protocol.ts';
import type { PlanActions, PlanCodeTerminus, TargetAction } from './termini.ts';

export interface PlanRunnerOptions {
  readonly code: PlanCodeTerminus;
  /** The thread's file, which calls `runPlanThread`. */
  readonly workerUrl: URL;
  /** What the thread's file needs besides. */
  readonly threadData: unknown;
  readonly maxHeapMiB: number;
  readonly log: Logger;
}

export interface PlanOrder {
  readonly environment: string;
  readonly plan: string;
  readonly parameters: JsonObject;
  readonly actions: PlanActions;
  readonly inventory?: InventoryOptions;
  /** Told what happens, in its order. Sensitive values are not in it. */
  readonly observe?: (event: PlanProgress) => void;
  /** Ends the plan where it is. */
  readonly signal: AbortSignal;
}

export type PlanProgress =
  | PlanEvent
  | {
      readonly kind: 'action-started';
      readonly action: TargetAction;
      /** By which people find it, where they can. */
      readonly job: string | undefined;
    };

export class PlanRunner {
  private readonly options: PlanRunnerOptions;

  constructor(options: PlanRunnerOptions) {
    this.options = options;
  }

  /**
   * Runs a plan to its end.
   *
   * @throws ServiceError `not-found` when there is no such environment, `unavailable` when the thread ends before the plan does,
   * the signal's reason when it is aborted
   */
  async run(order: PlanOrder): Promise<PlanOutcome> {
    const { environment, inventory = { transport: 'pcp' }, parameters, plan, signal } = order;
    const ended = new AbortController();
    const stop = AbortSignal.any([signal, ended.signal]);
    try {
      return await this.withCode(environment, async (source) => {
        const questions = answerBlocking((question: PlanQuestion) => answer(question, order, stop));
        const actions = new ActionPort(order, stop).link;
        const data = { source, plan, parameters, inventory, questions, actions, isDescribed: false };
        return await this.inThread<PlanOutcome>(data, signal);
      });
    } finally {
      // The results of actions in flight are not needed any more.
      ended.abort();
    }
  }

  /**
   * What a plan takes. Nothing of it is evaluated.
   *
   * @throws ServiceError `not-found` when there is no such environment, PuppetError's text as an Error for a plan that cannot be read
   */
  async describe(environment: string, plan: string, signal: AbortSignal): Promise<PlanDescription> {
    return await this.withCode(environment, async (source) => {
      const never = answerBlocking(() => Promise.resolve(null));
      const unused = answerBlocking(() => Promise.resolve(null));
      const inventory = { transport: 'pcp' };
      const data = {
        source,
        plan,
        parameters: {},
        inventory,
        questions: never,
        actions: unused,
        isDescribed: true,
      };
      return await this.inThread<PlanDescription>(data, signal);
    });
  }

  private async withCode<T>(environment: string, use: (source: PlanSource) => Promise<T>): Promise<T> {
    const code = this.options.code.acquire(environment);
    if (code === undefined) {
      throw new ServiceError('not-found', `Unknown environment ${environment}`, {
        kind: 'puppetlabs.orchestrator/unknown-environment',
        details: { environment },
      });
    }
    try {
      return await use(code.source);
    } finally {
      code.release();
    }
  }

  private async inThread<T>(data: PlanThreadData, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const { maxHeapMiB, threadData, workerUrl } = this.options;
    const worker = new Worker(workerUrl, {
      name: 'plan',
      workerData: { plan: data, rest: threadData },
      transferList: [data.questions.port, data.actions.port],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB, maxYoungGenerationSizeMb: 24, stackSizeMb: 8 },
    });
    const onAbort = () => void worker.terminate();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await new Promise<T>((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
        worker.once('exit', () => {
          reject(
            signal.aborted ? signal.reason : new ServiceError('unavailable', 'The thread of the plan ended'),
          );
        });
      });
    } finally {
      signal.removeEventListener('abort', onAbort);
      await worker.terminate();
    }
  }
}

/** Never rejects: the plan waits for the answer. */
async function answer(question: PlanQuestion, order: PlanOrder, signal: AbortSignal): Promise<PlanAnswer> {
  try {
    return { kind: 'value', value: await valueOf(question, order, signal) };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

async function valueOf(
  question: PlanQuestion,
  { actions, environment }: PlanOrder,
  signal: AbortSignal,
): Promise<Json | undefined> {
  switch (question.kind) {
    case 'task':
      return await actions.findTask(environment, question.name);
    case 'puppetdb':
      return await actions.queryPuppetdb(question.query, signal);
    default:
      return question satisfies never;
  }
}

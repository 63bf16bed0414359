/** The main thread's end of what a plan does: carries actions out beside each other and tells the plan when one has ended. */

import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { PlanAction } from '../../language/plans/index.ts';
import type { BlockingLink } from '../../platform/threads/index.ts';
import type { FromPlan, ToPlan } from './plan-protocol.ts';
import type { PlanOrder } from './plan-runner.ts';
import type { ActionOutcome } from './termini.ts';

export class ActionPort {
  /** The plan's end. */
  readonly link: BlockingLink;
  private readonly port: MessagePort;
  private readonly signal: Int32Array<SharedArrayBuffer>;
  private readonly order: PlanOrder;
  private readonly stop: AbortSignal;
  private readonly running = new Map<number, AbortController>();

  /** @param stop - aborted when the plan has ended, however */
  constructor(order: PlanOrder, stop: AbortSignal) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.signal = new Int32Array(new SharedArrayBuffer(4));
    this.link = { port: port2, signal: this.signal };
    this.order = order;
    this.stop = stop;
    port1.on('message', (message: FromPlan) => this.receive(message));
    port1.unref();
    stop.addEventListener('abort', () => port1.close(), { once: true });
  }

  private receive(message: FromPlan): void {
    if (message.kind === 'start') {
      void this.carryOut(message.id, message.action);
    } else if (message.kind === 'abandon') {
      this.running.get(message.id)?.abort();
    } else {
      this.order.observe?.(message.event);
    }
  }

  private async carryOut(id: number, action: PlanAction): Promise<void> {
    const abandoned = new AbortController();
    this.running.set(id, abandoned);
    const signal = AbortSignal.any([this.stop, abandoned.signal]);
    const outcome = await this.outcomeOf(action, signal);
    this.running.delete(id);
    if (signal.aborted) return;
    this.port.postMessage({ id, outcome } satisfies ToPlan);
    Atomics.add(this.signal, 0, 1);
    Atomics.notify(this.signal, 0);
  }

  /** Never rejects: the plan waits for it. */
  private async outcomeOf(action: PlanAction, signal: AbortSignal): Promise<ActionOutcome> {
    try {
      if (action.kind === 'sleep') {
        await sleep(action.seconds * 1000, undefined, { signal });
        return { kind: 'slept' };
      }
      const { actions, environment, observe } = this.order;
      const started = (job: string | undefined) => observe?.({ kind: 'action-started', action, job });
      return await actions.act(action, { environment, signal, started });
    } catch (error) {
      const msg = error instanceof Error ? error.message : String(error);
      return { kind: 'failed', error: { kind: 'puppetlabs.orchestrator/unknown-error', msg } };
    }
  }
}

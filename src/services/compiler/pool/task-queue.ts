/** What workers are asked to do, and the queue of tasks that wait for a worker. */

import type { FromWorker, KeptCatalog, ToWorker } from '../worker-protocol.ts';

export interface Task {
  readonly message: Extract<ToWorker, { kind: 'compile' | 'ask' | 'warm' }>;
  /** For messages and logs: `catalog of agent.example.net`. */
  readonly what: string;
  readonly resolve: (answer: FromWorker) => void;
  readonly reject: (error: Error) => void;
  /** Told what is kept of the catalog, once it has been compiled. */
  readonly keep?: ((catalog: KeptCatalog | undefined) => void) | undefined;
}

export class TaskQueue {
  private readonly tasks: Task[] = [];

  get length(): number {
    return this.tasks.length;
  }

  /** @param signal - aborted while the task still waits, it is withdrawn and rejected */
  push(task: Task, signal?: AbortSignal): void {
    this.tasks.push(task);
    signal?.addEventListener('abort', () => this.withdraw(task, signal.reason), { once: true });
  }

  shift(): Task | undefined {
    return this.tasks.shift();
  }

  rejectAll(error: Error): void {
    for (const task of this.tasks.splice(0)) task.reject(error);
  }

  private withdraw(task: Task, reason: unknown): void {
    const index = this.tasks.indexOf(task);
    if (index < 0) return;
    this.tasks.splice(index, 1);
    task.reject(reason instanceof Error ? reason : new Error('The request was withdrawn', { cause: reason }));
  }
}

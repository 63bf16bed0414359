/**
 * Task targets: sets of tasks and nodes that a role can permit by number. A user with `tasks:run_with_constraints` on a number may run
 * its tasks on its nodes without a permission for the tasks themselves.
 */

import { ServiceError } from '../../../lib/service-error.ts';
import type { Change } from '../../../platform/changes/index.ts';
import { type Actor, requirePermission } from '../actor.ts';
import { orchestratorError } from '../orchestrator-error.ts';
import { taskTargetChange } from '../recorded-changes.ts';
import type { Scope } from '../targets/scope.ts';
import type { Targets } from '../targets/targets.ts';

export interface NewTaskTarget {
  readonly displayName: string;
  /** `undefined`: all. */
  readonly tasks: readonly string[] | undefined;
  readonly nodes: readonly string[];
  readonly nodeGroups: readonly string[];
  readonly query: string | undefined;
}

export interface TaskTarget extends NewTaskTarget {
  readonly id: number;
}

export interface TaskTargetStore {
  /** @param change - its object has a token for an id, in whose place the number comes */
  add(target: NewTaskTarget, change: Change): Promise<number>;
  all(): Promise<readonly TaskTarget[]>;
  /** @returns whether it was there */
  remove(id: number, change: Change): Promise<boolean>;
}

export interface TaskTargetsOptions {
  readonly store: TaskTargetStore;
  readonly targets: Targets;
  readonly nowMs: () => number;
  /** A new UUID. */
  readonly newId: () => string;
}

const everyTask = { objectType: 'tasks', action: 'run', instance: '*' } as const;

export class TaskTargets {
  private readonly options: TaskTargetsOptions;

  constructor(options: TaskTargetsOptions) {
    this.options = options;
  }

  /** @returns its number @throws ServiceError `not-permitted` without the permission to run every task */
  async add(target: NewTaskTarget, actor: Actor): Promise<number> {
    requirePermission(actor, everyTask, 'create task targets');
    const { newId, store } = this.options;
    return await store.add(
      target,
      taskTargetChange('create', { id: newId(), name: target.displayName }, actor.author, this.now()),
    );
  }

  async all(): Promise<readonly TaskTarget[]> {
    return await this.options.store.all();
  }

  /** @throws ServiceError `unknown-task-target` */
  async get(id: number): Promise<TaskTarget> {
    const found = (await this.all()).find((target) => target.id === id);
    if (found === undefined) throw unknownTarget(id);
    return found;
  }

  /** @throws ServiceError `not-permitted`, `unknown-task-target` */
  async remove(id: number, actor: Actor): Promise<void> {
    requirePermission(actor, everyTask, 'delete task targets');
    const { displayName } = await this.get(id);
    const change = taskTargetChange(
      'delete',
      { id: String(id), name: displayName },
      actor.author,
      this.now(),
    );
    if (!(await this.options.store.remove(id, change))) throw unknownTarget(id);
  }

  /** The targets that a user may use. */
  async usable({ permits }: Actor): Promise<readonly TaskTarget[]> {
    const all = await this.all();
    return all.filter(({ id }) =>
      permits({ objectType: 'tasks', action: 'run_with_constraints', instance: String(id) }),
    );
  }

  /** @returns the nodes of all of them now, in lower case */
  async nodesOf(
    found: readonly TaskTarget[],
    actor: Actor,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    // The author of the target chose its nodes, so the user's own rights on groups and queries are not checked.
    const definer = { ...actor, permits: () => true };
    const nodes = await Promise.all(
      found.flatMap(scopesOf).map((scope) => this.certnames(scope, definer, signal)),
    );
    return new Set(nodes.flat().map((name) => name.toLowerCase()));
  }

  private async certnames(scope: Scope, actor: Actor, signal: AbortSignal): Promise<readonly string[]> {
    try {
      return (await this.options.targets.resolve(scope, actor, signal)).flat();
    } catch (error) {
      // A group that is gone or has no members permits nothing.
      if (error instanceof ServiceError && error.reason !== 'unavailable') return [];
      throw error;
    }
  }

  private now(): Date {
    return new Date(this.options.nowMs());
  }
}

export function isTaskOf({ tasks }: TaskTarget, name: string): boolean {
  return tasks === undefined || tasks.includes(name);
}

function scopesOf({ nodeGroups, nodes, query }: TaskTarget): readonly Scope[] {
  return [
    ...(nodes.length === 0 ? [] : [{ kind: 'nodes', nodes } as const]),
    ...nodeGroups.map((id) => ({ kind: 'node-group', id }) as const),
    ...(query === undefined ? [] : [{ kind: 'query', query } as const]),
  ];
}

function unknownTarget(id: number): ServiceError {
  return orchestratorError('unknown-task-target', `Unknown task target ${id}`, { id: String(id) });
}

/** The store of task targets. */

import { type Change, insertChange } from '../../../platform/changes/index.ts';
import { type Database, sql } from '../../../platform/storage/index.ts';
import { recordNumbered } from '../store.ts';
import type { NewTaskTarget, TaskTarget, TaskTargetStore } from './task-targets.ts';

export class DatabaseTaskTargets implements TaskTargetStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async add(target: NewTaskTarget, change: Change): Promise<number> {
    const token = change.object.id;
    const [added] = await this.database.write([
      sql`insert into orchestrator_task_targets (token, definition) values (${token}, ${JSON.stringify(target)})
        returning id`,
      ...recordNumbered(change, sql`select id from orchestrator_task_targets where token = ${token}`),
    ]);
    return Number(added?.rows[0]?.['id']);
  }

  async all(): Promise<readonly TaskTarget[]> {
    const rows = await this.database.read(
      sql`select id, definition from orchestrator_task_targets order by id`,
    );
    return rows.map(({ definition, id }) => {
      const found = typeof definition === 'string' ? (JSON.parse(definition) as unknown) : definition;
      const { displayName, nodeGroups, nodes, query, tasks } = found as NewTaskTarget;
      return { id: Number(id), displayName, tasks, nodes, nodeGroups, query };
    });
  }

  async remove(id: number, change: Change): Promise<boolean> {
    const [removed] = await this.database.write([
      sql`delete from orchestrator_task_targets where id = ${id}`,
      insertChange(change),
    ]);
    return (removed?.changes ?? 0) > 0;
  }
}

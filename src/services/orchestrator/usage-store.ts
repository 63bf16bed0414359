/** The store of daily counts of nodes. */

import { type Database, fixedSql, sql } from '../../platform/storage/index.ts';
import type { DailyUsage, UsageStore } from './usage.ts';

export class DatabaseUsage implements UsageStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async add({ date, nodesWithAgent }: DailyUsage): Promise<void> {
    await this.database.write([
      sql`insert into orchestrator_usage (day, nodes_with_agent) values (${date}, ${nodesWithAgent})
        on conflict (day) do nothing`,
    ]);
  }

  async list(from: string | undefined, until: string | undefined): Promise<readonly DailyUsage[]> {
    const first = from === undefined ? fixedSql('') : sql`and day >= ${from}`;
    const last = until === undefined ? fixedSql('') : sql`and day <= ${until}`;
    const rows = await this.database.read(
      sql`select day, nodes_with_agent from orchestrator_usage where day <> '' ${first} ${last} order by day desc`,
    );
    return rows.map((row) => ({ date: String(row['day']), nodesWithAgent: Number(row['nodes_with_agent']) }));
  }
}

/** The store of SSH connections. */

import { type Change, insertChange } from '../../../platform/changes/index.ts';
import { type Database, sql } from '../../../platform/storage/index.ts';
import type { Seal } from '../store.ts';
import type { ConnectionStore, SshConnection, SshParameters, SshSecrets } from './connection.ts';

export class DatabaseConnections implements ConnectionStore {
  private readonly database: Database;
  private readonly seal: Seal;

  constructor(database: Database, seal: Seal) {
    this.database = database;
    this.seal = seal;
  }

  async all(): Promise<readonly SshConnection[]> {
    const rows = await this.database.read(
      sql`select certname, connection_id, parameters from orchestrator_connections order by certname`,
    );
    return rows.map(({ certname, connection_id: id, parameters }) => ({
      id: String(id),
      certname: String(certname),
      parameters: (typeof parameters === 'string' ? JSON.parse(parameters) : parameters) as SshParameters,
    }));
  }

  async secretsOf(certname: string): Promise<SshSecrets | undefined> {
    const [row] = await this.database.read(
      sql`select secrets from orchestrator_connections where certname = ${certname}`,
    );
    if (row === undefined) return undefined;
    try {
      return JSON.parse(this.seal.open(String(row['secrets']))) as SshSecrets;
    } catch {
      // The database was restored without the key. The job reports that.
      return undefined;
    }
  }

  async add(connections: readonly SshConnection[], secrets: SshSecrets, change: Change): Promise<void> {
    const closed = this.seal.close(JSON.stringify(secrets));
    await this.database.write([
      ...connections.map(
        ({ certname, id, parameters }) =>
          sql`insert into orchestrator_connections (certname, connection_id, parameters, secrets)
            values (${certname}, ${id}, ${JSON.stringify(parameters)}, ${closed})
            on conflict (certname) do update set connection_id = excluded.connection_id,
              parameters = excluded.parameters, secrets = excluded.secrets`,
      ),
      insertChange(change),
    ]);
  }

  async remove(certnames: readonly string[], change: Change): Promise<void> {
    await this.database.write([
      ...certnames.map((name) => sql`delete from orchestrator_connections where certname = ${name}`),
      insertChange(change),
    ]);
  }
}

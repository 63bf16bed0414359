/** The databases that everything is tested on. */

import type { DatabaseLocation } from '../../src/platform/storage/index.ts';
import { postgresPrograms, startPostgres } from './running-postgres.ts';

export interface Backend {
  readonly name: string;
  readonly isInstalled: boolean;
  start(): Promise<RunningBackend>;
}

export interface RunningBackend {
  /** A database of its own; `undefined` for a file. */
  readonly location: DatabaseLocation | undefined;
  /** Another one, empty. */
  createDatabase(): Promise<DatabaseLocation | undefined>;
  stop(): Promise<void>;
}

export const backends: readonly Backend[] = [
  {
    name: 'SQLite',
    isInstalled: true,
    start: () =>
      Promise.resolve({
        location: undefined,
        createDatabase: () => Promise.resolve(undefined),
        stop: () => Promise.resolve(),
      }),
  },
  {
    name: postgresPrograms === undefined ? 'PostgreSQL (skipped: not installed)' : 'PostgreSQL',
    isInstalled: postgresPrograms !== undefined,
    async start() {
      const postgres = await startPostgres({ isDurable: false });
      return {
        location: await postgres.createDatabase(),
        createDatabase: () => postgres.createDatabase(),
        stop: () => postgres.stop(),
      };
    },
  },
];

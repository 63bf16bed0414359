/** Where changes are sent as they happen. */

import type { RecordedChange } from '../activity.ts';

export interface ChangeSink {
  /** Names it in the database, where it is kept how far it has come: another place begins anew. */
  readonly name: string;
  /** Rejects when it can't be said that all of them have arrived; they are sent again then. */
  send(changes: readonly RecordedChange[]): Promise<void>;
  close(): void;
}

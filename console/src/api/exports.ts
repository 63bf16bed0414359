/** Whole lists as files. */

import type { ExportFormat, ExportQuery } from '../../../src/services/console/wire.ts';
import { postForFile } from './client.ts';

export type { ExportFormat } from '../../../src/services/console/wire.ts';

type WithoutFormat<T> = T extends unknown ? Omit<T, 'format'> : never;

/** A list as its page shows it, or a query. */
export type ExportedList = WithoutFormat<ExportQuery>;

export async function readExport(list: ExportedList, format: ExportFormat): Promise<Blob> {
  return await postForFile('/console-api/v1/exports', { ...list, format });
}

/** Whole lists as files. */

import type { ExportDownload, ExportFormat, ExportQuery } from '../../../src/services/console/wire.ts';
import { post } from './client.ts';

export type { ExportFormat } from '../../../src/services/console/wire.ts';

type WithoutFormat<T> = T extends unknown ? Omit<T, 'format'> : never;

/** A list as its page shows it, or a query. */
export type ExportedList = WithoutFormat<ExportQuery>;

/**
 * Begins an export.
 *
 * @returns the path from which the browser downloads it, once
 * @throws ApiError for a filter or a query that is wrong, or without permission
 */
export async function beginExport(list: ExportedList, format: ExportFormat): Promise<string> {
  const download = await post<ExportDownload>('/console-api/v1/exports/downloads', { ...list, format });
  if (download === undefined) throw new Error('the server has answered nothing');
  return download.path;
}

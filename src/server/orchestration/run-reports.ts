/** What PuppetDB knows of a Puppet run that a job asked for. */

import { z } from 'zod';
import { checkShape } from '../../lib/check-shape.ts';
import type { PuppetDbTerminus } from '../../services/compiler/index.ts';
import type { Results } from '../../services/orchestrator/index.ts';

const timeoutMs = 10_000;
const RowsWire = z.array(z.object({ hash: z.string(), configuration_version: z.string().nullable() }));

/** @returns finds the report of a transaction; `undefined` while it has not arrived */
export function runReports(puppetDb: PuppetDbTerminus | undefined) {
  return async (certname: string, transactionUuid: string): Promise<Results | undefined> => {
    if (puppetDb === undefined) return undefined;
    const isTheRun = ['and', ['=', 'certname', certname], ['=', 'transaction_uuid', transactionUuid]];
    const query = ['from', 'reports', ['extract', ['hash', 'configuration_version'], isTheRun]];
    const text = await puppetDb.query(JSON.stringify(query), AbortSignal.timeout(timeoutMs));
    const [row] = checkShape(RowsWire, JSON.parse(text)).data ?? [];
    return row && { hash: row.hash, configuration_version: row.configuration_version };
  };
}

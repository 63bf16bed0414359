/** Catalogs on their way to PuppetDB. */

import type { PuppetDbCommand, Sender } from './command.ts';

/** What differs between two catalogs of a node in which nothing has changed. */
export interface CatalogToSend {
  readonly certname: string;
  /** What the agent asked for. */
  readonly environment: string;
  readonly version: string | number;
  readonly codeId: string | null;
  readonly catalogUuid: string;
  readonly transactionUuid: string | null;
  readonly jobId: string | null;
}

/**
 * The command for a catalog without its resources and edges, which are large and go their own way.
 *
 * @see puppet-terminus-puppetdb, Puppet::Resource::Catalog::Puppetdb#save
 */
export function catalogEnvelope(catalog: CatalogToSend, { now, producer }: Sender): PuppetDbCommand {
  const { certname } = catalog;
  const producerTimestamp = now.toISOString();
  const payload = JSON.stringify({
    certname,
    version: String(catalog.version),
    environment: catalog.environment,
    transaction_uuid: catalog.transactionUuid,
    catalog_uuid: catalog.catalogUuid,
    code_id: catalog.codeId,
    job_id: catalog.jobId,
    producer_timestamp: producerTimestamp,
    producer,
  });
  return { command: 'replace_catalog', version: 9, certname, producerTimestamp, payload };
}

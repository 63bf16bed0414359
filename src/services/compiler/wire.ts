/** The bodies of catalog requests. */

import { acceptedFormat, environmentParameter } from '../../platform/indirection/index.ts';
import type { NodeFacts } from './termini.ts';
import type { CatalogFormat } from './worker-protocol.ts';

/** What an agent asks for, from the query of a GET or the form of a POST. */
export interface CatalogRequest {
  /** The environment of the request, checked to be a name. */
  readonly environment: string;
  /** The field `facts` as it is in the form: escaped once more. Large ones have been read: `read` says what became of it. */
  readonly facts:
    | { readonly text: string; readonly format: string | null }
    | { readonly read: () => NodeFacts }
    | undefined;
  readonly transactionUuid: string | undefined;
  /** The orchestrator's job that the run belongs to. */
  readonly jobId: string | undefined;
  /** The agent wants an empty catalog when its node belongs to another environment. */
  readonly checksEnvironment: boolean;
  readonly format: CatalogFormat;
  /** Absent when the agent does not want a static catalog. `checksumTypes` are separated by dots. */
  readonly staticCatalog: { readonly checksumTypes: string | undefined } | undefined;
}

/** Fields by name; of those that are there several times the first. */
export type FormFields = Pick<URLSearchParams, 'get'>;

/**
 * As Puppet Server does: the query has the last word.
 *
 * @param form - any number of fields: they are looked up and never put together
 */
export function mergeForm(query: URLSearchParams, form: FormFields): FormFields {
  return { get: (name) => query.get(name) ?? form.get(name) };
}

/**
 * @param form - query parameters and form fields together
 * @param largeFacts - those of the form, where they have been read
 * @throws ServiceError `bad-request`, `not-acceptable` in Puppet Server's words
 */
export function decodeCatalogRequest(
  form: FormFields,
  accept: string | undefined,
  largeFacts?: () => NodeFacts,
): CatalogRequest {
  return {
    environment: environmentParameter(form),
    facts: largeFacts === undefined ? factsField(form) : { read: largeFacts },
    transactionUuid: form.get('transaction_uuid') ?? undefined,
    jobId: form.get('job_id') ?? undefined,
    checksEnvironment: form.get('check_environment') === 'true',
    staticCatalog:
      form.get('static_catalog') === 'true'
        ? { checksumTypes: form.get('checksum_type') ?? undefined }
        : undefined,
    format: acceptedFormat(accept, ['rich_data_json', 'json', 'pson']) as CatalogFormat,
  };
}

function factsField(form: FormFields): CatalogRequest['facts'] {
  const text = form.get('facts');
  return text === null ? undefined : { text, format: form.get('facts_format') };
}

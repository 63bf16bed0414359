/** The bodies of catalog requests. */

import { ServiceError } from '../../lib/service-error.ts';
import { acceptedFormat, environmentParameter } from '../../platform/indirection/index.ts';
import type { CatalogFormat } from './worker-protocol.ts';

/** What an agent asks for, from the query of a GET or the form of a POST. */
export interface CatalogRequest {
  /** The environment of the request, checked to be a name. */
  readonly environment: string;
  readonly facts: { readonly text: string; readonly format: string } | undefined;
  readonly transactionUuid: string | undefined;
  /** The agent wants an empty catalog when its node belongs to another environment. */
  readonly checksEnvironment: boolean;
  readonly format: CatalogFormat;
}

/**
 * @param form - query parameters and form fields together
 * @throws ServiceError `bad-request`, `not-acceptable` in Puppet Server's words
 */
export function decodeCatalogRequest(form: URLSearchParams, accept: string | undefined): CatalogRequest {
  const facts = form.get('facts');
  return {
    environment: environmentParameter(form),
    // The agent escapes facts once more than the form does.
    facts: facts === null ? undefined : { text: unescapeFacts(facts), format: form.get('facts_format') ?? 'pson' },
    transactionUuid: form.get('transaction_uuid') ?? undefined,
    checksEnvironment: form.get('check_environment') === 'true',
    format: acceptedFormat(accept, ['rich_data_json', 'json', 'pson']) as CatalogFormat,
  };
}

function unescapeFacts(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    throw new ServiceError('bad-request', 'The facts are not escaped as they should be', { cause: error });
  }
}

/** What compiles fail with when PuppetDB does not answer, in the words of the reference's terminus. */

import { STATUS_CODES } from '../../lib/node-http.ts';
import { ServiceError } from '../../lib/service-error.ts';

/** The addresses that the terminus asks, which its messages show. */
export const terminusPaths = {
  query: '/pdb/query/v4',
  resources: (query: string) => `/pdb/query/v4/resources?query=${encodeForm(query)}`,
  facts: (certname: string) => `/pdb/query/v4/nodes/${encodeForm(certname)}/facts`,
} as const;

/** @param least - how many servers had to answer */
export function notExecuted(path: string, least: number, serverUrls: readonly string[]): string {
  const urls = serverUrls.join(', ');
  return `Failed to execute '${path}' on at least ${least} of the following 'server_urls': ${urls}`;
}

/** @param origin - of the PuppetDB */
export function resourcesFailure(origin: string, why: string): ServiceError {
  const { hostname, port } = new URL(origin);
  const place = `https://${hostname}:${port === '' ? '443' : port}`;
  return new ServiceError(
    'unavailable',
    `Could not retrieve resources from the PuppetDB at ${place}: ${why}`,
  );
}

export function factsFailure(why: string): ServiceError {
  return new ServiceError('unavailable', `Failed to find facts from PuppetDB at  ${why}`);
}

/** An answer that is an error. */
export function statusText({ status, text }: { readonly status: number; readonly text: string }): string {
  return `[${status} ${STATUS_CODES[status] ?? ''}] ${text.replaceAll(/[\r\n]/g, '')}`;
}

/** As forms are encoded: a space is a plus. */
function encodeForm(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

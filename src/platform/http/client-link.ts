/** Links in answers. */

import type { HttpRequest } from './route.ts';

/** The URL of a path below an API's own. */
export type Link = (path: string) => string;

/**
 * Addresses the server as the client does.
 *
 * @param prefix - the path of the API
 * @param authority - the server's own name and port, for clients that name none
 */
export function clientLink(
  { headers: { host } }: Pick<HttpRequest, 'headers'>,
  prefix: string,
  authority: () => string,
): Link {
  const named = host !== undefined && /^[\w.:[\]-]+$/.test(host) ? host : authority();
  return (path) => `https://${named}${prefix}${path}`;
}

/** The primary, as a compile server reaches it. */

import { HttpClient } from '../../platform/http-client/index.ts';
import { protocol, protocolHeader } from '../../services/infrastructure/index.ts';
import { memberCredentials } from '../ca/member-certificate.ts';
import type { TlsFiles } from '../ca/tls-files.ts';
import { watchPrimary } from './primary-watch.ts';

export interface PrimaryLink {
  readonly client: HttpClient;
  /** Without a slash at its end. */
  readonly primaryUrl: string;
  /** A question that is cheap to ask often. */
  readonly isPrimaryAway: () => Promise<boolean>;
}

export async function linkToPrimary(primaryUrl: string, files: TlsFiles): Promise<PrimaryLink> {
  const client = new HttpClient(await memberCredentials(files), { [protocolHeader]: protocol });
  return { client, primaryUrl, isPrimaryAway: watchPrimary({ client, primaryUrl }) };
}

/** What a server says of itself to manifests: `$server_facts`. */

import { networkInterfaces } from 'node:os';
import type { Json } from '../../lib/json.ts';

/** `servername`, `serverip`, `serverip6`; what the level says of versions is added for each compile. */
export function serverFacts(certname: string): Readonly<Record<string, Json>> {
  const addresses = Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter((entry) => !entry.internal);
  const ip = addresses.find((entry) => entry.family === 'IPv4')?.address;
  const ip6 = addresses.find(
    (entry) => entry.family === 'IPv6' && !entry.address.startsWith('fe80'),
  )?.address;
  return {
    servername: certname,
    ...(ip === undefined ? {} : { serverip: ip }),
    ...(ip6 === undefined ? {} : { serverip6: ip6 }),
  };
}

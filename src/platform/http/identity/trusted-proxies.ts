/** The proxies whose word about clients is believed: by their address, or by the certificate that they show. */

import { type BlockList, isIP } from 'node:net';
import { isInNetworks, networkList } from '../../../lib/network-list.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import type { Peer } from './peer.ts';

export class TrustedProxies {
  private readonly networks: BlockList;
  private readonly certnames: ReadonlySet<string>;

  /**
   * @param entries - addresses, networks (`10.0.0.0/8`) and certnames
   * @throws ServiceError `conflict` for what looks like a network and is none
   */
  constructor(entries: readonly string[]) {
    const isNetwork = (entry: string) => entry.includes('/') || isIP(entry) !== 0;
    try {
      this.networks = networkList(entries.filter(isNetwork));
    } catch (cause) {
      throw new ServiceError('conflict', `trusted_proxies: ${(cause as Error).message}`, { cause });
    }
    this.certnames = new Set(entries.filter((entry) => !isNetwork(entry)).map((name) => name.toLowerCase()));
  }

  has({ identity, kind }: Peer): boolean {
    if (isInNetworks(this.networks, identity.address)) return true;
    return kind === 'certificate' && identity.kind === 'certificate' && this.certnames.has(identity.certname);
  }
}

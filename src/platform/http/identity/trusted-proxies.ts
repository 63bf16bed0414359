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

  /** Whether it may say in headers who the client is. */
  has(peer: Peer): boolean {
    const { identity } = peer;
    const address = peer.kind === 'anonymous' ? (peer.proxy ?? identity.address) : identity.address;
    if (this.hasAddress(address)) return true;
    return (
      peer.kind === 'certificate' && identity.kind === 'certificate' && this.certnames.has(identity.certname)
    );
  }

  /** Whether connections from there may begin with a PROXY header. */
  hasAddress(address: string): boolean {
    return isInNetworks(this.networks, address);
  }
}

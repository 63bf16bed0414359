/** Lists of networks: `10.0.0.0/8`, `192.0.2.1`, `2001:db8::/32`. */

import { BlockList, isIP } from 'node:net';

/** @throws RangeError naming the invalid network */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const version = isIP(address);
    const longest = version === 4 ? 32 : 128;
    const length = bits === undefined ? longest : Number(bits);
    if (version === 0 || !/^\d{1,3}$/.test(bits ?? '0') || length > longest)
      throw new RangeError(`'${network}' is no network`);
    list.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** @returns false for a text that is no address, too */
export function isInNetworks(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** SRV records, by which agents with `use_srv_records` find their servers (RFC 2782). */

export interface SrvServer {
  readonly host: string;
  readonly port: number;
  /** The lowest that answers is used. 10 when absent. */
  readonly priority?: number;
  /** Its share among those of the same priority. 10 when absent. */
  readonly weight?: number;
}

export interface SrvSite {
  /** The domain that agents have as `srv_domain`. */
  readonly domain: string;
  /** For catalogs, and whatever has no servers of its own. */
  readonly servers: readonly SrvServer[];
  /** The certificate authority's; those of catalogs pass requests on when absent. */
  readonly ca?: readonly SrvServer[];
  readonly fileServers?: readonly SrvServer[];
  readonly reportServers?: readonly SrvServer[];
  /** How long agents and resolvers remember a record: as long they ask servers that are gone. 300 when absent. */
  readonly ttlSeconds?: number;
}

/** @returns lines for a zone file; names are whole, so that it does not matter which zone includes them */
export function renderDnsZone(site: SrvSite): string {
  const services = [
    ['_x-puppet', site.servers],
    ['_x-puppet-ca', site.ca],
    ['_x-puppet-fileserver', site.fileServers],
    ['_x-puppet-report', site.reportServers],
  ] as const;
  const ttl = site.ttlSeconds ?? 300;
  const lines = services.flatMap(([service, servers]) =>
    (servers ?? []).map(({ host, port, priority = 10, weight = 10 }) => {
      const owner = `${service}._tcp.${absolute(site.domain)}`;
      return `${owner.padEnd(40)} ${ttl} IN SRV ${priority} ${weight} ${port} ${absolute(host)}\n`;
    }),
  );
  return lines.join('');
}

function absolute(name: string): string {
  return name.endsWith('.') ? name : `${name}.`;
}

/** `bunraku dns zone` */

import { renderDnsZone, type SrvServer } from '../../services/load-balancer/index.ts';
import { type Command, UsageError } from '../command.ts';
import { type CommandLine, lastOf, readCommandLine, refuseWords } from '../own-options.ts';
import { parsePort } from '../port-argument.ts';

const serverOptions = ['--server', '--ca-server', '--file-server', '--report-server'];

export const dnsZoneCommand: Command = {
  name: 'dns zone',
  summary: 'Print SRV records by which agents find their servers',
  usage: `
Usage: bunraku dns zone --domain DOMAIN --server HOST[:PORT][,priority=N][,weight=N] [--server ...] [OPTIONS]

Options:
  --domain DOMAIN        What agents have as srv_domain (default: their domain); one for each site
  --server SERVER        A compile server: _x-puppet. Those of the lowest priority (default 10) get agents, in the
                         proportion of their weights (default 10); the next are asked when none of these answers.
  --ca-server SERVER     The primary: _x-puppet-ca. Without any, agents ask the compile servers, which pass it on.
  --file-server SERVER   _x-puppet-fileserver; without any, the compile servers
  --report-server SERVER _x-puppet-report; without any, the compile servers
  --ttl SECONDS          How long a record is remembered (default 300)

The output belongs into a zone file. Agents need use_srv_records = true and, where it is not their own domain,
srv_domain; names in the records have to be in the servers' certificates.

Two sites, each the other's reserve:

  bunraku dns zone --domain east.example.com --server e1.example.com,weight=30 --server e2.example.com \\
    --server w1.example.com,priority=20
`,
  run(args, io) {
    const line = readCommandLine(args, { withValue: ['--domain', '--ttl', ...serverOptions], flags: [] });
    refuseWords(line.positional);
    const domain = lastOf(line, '--domain');
    const servers = serversOf(line, '--server');
    if (domain === undefined || !isName(domain)) throw new UsageError('name the domain with --domain');
    if (servers.length === 0) throw new UsageError('name at least one compile server with --server');
    const ttl = lastOf(line, '--ttl');
    io.stdout(
      renderDnsZone({
        domain,
        servers,
        ca: serversOf(line, '--ca-server'),
        fileServers: serversOf(line, '--file-server'),
        reportServers: serversOf(line, '--report-server'),
        ...(ttl === undefined ? {} : { ttlSeconds: numberIn(ttl, 2 ** 31 - 1) }),
      }),
    );
    return Promise.resolve(0);
  },
};

function serversOf(line: CommandLine, option: string): readonly SrvServer[] {
  return (line.values.get(option) ?? []).map(parseServer);
}

function parseServer(text: string): SrvServer {
  const [address = '', ...options] = text.split(',');
  const [host = '', port, ...more] = address.split(':');
  if (!isName(host) || more.length > 0)
    throw new UsageError(`'${address}' is not HOST or HOST:PORT: SRV records need names`);
  const found: { priority?: number; weight?: number } = {};
  for (const option of options) {
    const [, name, value] = /^(priority|weight)=(\d+)$/.exec(option) ?? [];
    if (value === undefined) throw new UsageError(`'${option}' is not priority=N or weight=N`);
    found[name === 'priority' ? 'priority' : 'weight'] = numberIn(value, 65_535);
  }
  return { host, port: port === undefined ? 8140 : parsePort(port), ...found };
}

function isName(text: string): boolean {
  return /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?$/.test(text) && !/^[\d.]+$/.test(text);
}

function numberIn(text: string, most: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number <= most) return number;
  throw new UsageError(`'${text}' is not a number up to ${most}`);
}

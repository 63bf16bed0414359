/** `bunraku haproxy config` */

import { readTextIfThere } from '../../lib/if-there.ts';
import { connectionsFor, renderHaproxyConfig } from '../../services/load-balancer/index.ts';
import { type Command, type CommandIo, UsageError } from '../command.ts';
import { lastOf, readCommandLine, refuseWords } from '../own-options.ts';
import { parsePort } from '../port-argument.ts';

export const haproxyConfigCommand: Command = {
  name: 'haproxy config',
  summary: 'Print a configuration of HAProxy for the compile servers',
  usage: `
Usage: bunraku haproxy config [OPTIONS] --server HOST[:PORT] [--server ...]
       bunraku haproxy config [OPTIONS] --socket PATH

Options:
  --server HOST[:PORT]   A compile server; may be given several times. PORT is 8140 when absent.
  --bind ADDRESS:PORT    Where agents connect (default *:8140)
  --pcp-bind ADDR:PORT   Where pxp-agents connect, with --pcp-port (default *:8142)
  --pcp-port PORT        The brokers' port on the compile servers, usually 8142; without it no brokers
  --health-port PORT     The servers' setting health_port, where they have one
  --send-proxy           Tell the servers the agents' addresses (PROXY protocol); their setting trusted_proxies must
                         name this HAProxy first
  --socket PATH          Take commands there: 'bunraku haproxy follow --socket PATH' then adds and removes servers
  --maxconn N            Agents at the same time, with two file descriptors for each (default 20000, or as many as
                         this machine's limit of open files allows: ulimit -Hn)
  --stats ADDRESS:PORT   Serve HAProxy's own statistics page there

The output is a complete haproxy.cfg: TCP passthrough (the agents' certificates reach the compile servers), least
connections, health checks on /status/v1/simple.
`,
  run(args, io) {
    const line = readCommandLine(args, {
      withValue: [
        '--server',
        '--bind',
        '--pcp-bind',
        '--pcp-port',
        '--health-port',
        '--socket',
        '--maxconn',
        '--stats',
      ],
      flags: ['--send-proxy'],
    });
    refuseWords(line.positional);
    const servers = (line.values.get('--server') ?? []).map(parseServer);
    const socket = lastOf(line, '--socket');
    if (servers.length === 0 && socket === undefined)
      throw new UsageError('name at least one compile server with --server, or a --socket to follow them');
    const pcpPort = lastOf(line, '--pcp-port') ?? 'none';
    const healthPort = lastOf(line, '--health-port');
    const stats = lastOf(line, '--stats');
    const config = renderHaproxyConfig({
      servers,
      bind: lastOf(line, '--bind') ?? '*:8140',
      sendProxy: line.flags.has('--send-proxy'),
      maxConnections: maxConnectionsOf(lastOf(line, '--maxconn'), io),
      ...(pcpPort === 'none'
        ? {}
        : { pcp: { bind: lastOf(line, '--pcp-bind') ?? '*:8142', port: parsePort(pcpPort) } }),
      ...(socket === undefined ? {} : { socket }),
      ...(healthPort === undefined ? {} : { healthPort: parsePort(healthPort) }),
      ...(stats === undefined ? {} : { stats }),
    });
    io.stdout(config);
    return Promise.resolve(0);
  },
};

function parseServer(text: string): { host: string; port: number } {
  const match = /^(\[[0-9a-fA-F:]+\]|[^:\s]+)(?::(\d+))?$/.exec(text);
  if (match?.[1] === undefined) throw new UsageError(`'${text}' is not HOST or HOST:PORT`);
  return { host: match[1], port: match[2] === undefined ? 8140 : parsePort(match[2]) };
}

/** HAProxy does not start with more than its limit of open files allows; mostly it runs where this is called. */
function maxConnectionsOf(text: string | undefined, io: CommandIo): number {
  const limits = readTextIfThere('/proc/self/limits') ?? '';
  const hard = /^Max open files +\S+ +(\d+)/m.exec(limits)?.[1];
  const possible = connectionsFor(hard === undefined ? Number.POSITIVE_INFINITY : Number(hard));
  if (text === undefined) return possible;
  const wanted = parseCount(text);
  if (hard !== undefined && 2 * wanted > Number(hard))
    io.stderr(
      `--maxconn ${wanted} needs ${2 * wanted} file descriptors, and processes of this machine may have ${hard}: ` +
        'raise LimitNOFILE of haproxy.service, or HAProxy does not start\n',
    );
  return wanted;
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new UsageError(`'${text}' is not a number of connections`);
  return count;
}

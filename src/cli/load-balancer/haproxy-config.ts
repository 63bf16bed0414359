/** `bunraku haproxy config` */

import { parseArgs } from 'node:util';
import { renderHaproxyConfig } from '../../services/load-balancer/index.ts';
import { type Command, UsageError } from '../command.ts';

export const haproxyConfigCommand: Command = {
  name: 'haproxy config',
  summary: 'Print a configuration of HAProxy for the compile servers',
  usage: `
Usage: bunraku haproxy config [OPTIONS] --server HOST[:PORT] [--server ...]
       bunraku haproxy config [OPTIONS] --socket PATH

Options:
  --server HOST[:PORT]   A compile server; may be given several times. PORT is 8140 when absent.
  --bind ADDRESS:PORT    Where agents connect (default *:8140)
  --pcp-bind ADDR:PORT   Where pxp-agents connect (default *:8142)
  --pcp-port PORT        The brokers' port on the compile servers (default 8142); 'none' leaves brokers out
  --health-port PORT     The servers' setting health_port, where they have one
  --socket PATH          Take commands there: 'bunraku haproxy follow --socket PATH' then adds and removes servers
  --maxconn N            Agents at the same time (default 20000); two file descriptors for each
  --stats ADDRESS:PORT   Serve HAProxy's own statistics page there

The output is a complete haproxy.cfg: TCP passthrough (the agents' certificates reach the compile servers), least
connections, health checks on /status/v1/simple.
`,
  run(args, io) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        server: { type: 'string', multiple: true, default: [] },
        bind: { type: 'string', default: '*:8140' },
        'pcp-bind': { type: 'string', default: '*:8142' },
        'pcp-port': { type: 'string', default: '8142' },
        maxconn: { type: 'string', default: '20000' },
        stats: { type: 'string' },
        socket: { type: 'string' },
        'health-port': { type: 'string' },
      },
    });
    if (values.server.length === 0 && values.socket === undefined)
      throw new UsageError('name at least one compile server with --server, or a --socket to follow them');
    const config = renderHaproxyConfig({
      servers: values.server.map(parseServer),
      bind: values.bind,
      maxConnections: parseCount(values.maxconn),
      ...(values['pcp-port'] === 'none'
        ? {}
        : { pcp: { bind: values['pcp-bind'], port: parsePort(values['pcp-port']) } }),
      ...(values.socket === undefined ? {} : { socket: values.socket }),
      ...(values['health-port'] === undefined ? {} : { healthPort: parsePort(values['health-port']) }),
      ...(values.stats === undefined ? {} : { stats: values.stats }),
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

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new UsageError(`'${text}' is not a number of connections`);
  return count;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new UsageError(`'${text}' is not a port`);
  return port;
}

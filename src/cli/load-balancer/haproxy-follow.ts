/** `bunraku haproxy follow` */

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createLogger, type RootLogger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { type FollowedServer, HaproxyFollower, HaproxySocket } from '../../services/load-balancer/index.ts';
import { type Command, type CommandIo, UsageError } from '../command.ts';
import { type CommandLine, lastOf, readCommandLine, refuseWords } from '../own-options.ts';
import { parsePort } from '../port-argument.ts';
import { askPrimary } from '../primary-connection.ts';

const ListWire = z.object({
  servers: z.array(
    z.object({
      certname: z.string(),
      url: z.string(),
      state: z.string(),
      address: z.string().optional(),
      health_port: z.int().optional(),
    }),
  ),
});

const retryMs = 2000;

export const haproxyFollowCommand: Command = {
  name: 'haproxy follow',
  summary: 'Keep a running HAProxy in step with the compile servers',
  usage: `
Usage: bunraku haproxy follow --socket PATH [OPTIONS] --primary HOST[:PORT] [--SETTING VALUE ...]

Asks the primary every few seconds for its compile servers, and adds, drains and removes them through HAProxy's
socket; connections that are open are not disturbed. Servers that don't answer stay: HAProxy's health checks see that
best. While the primary is away, HAProxy keeps what it has. Run it where HAProxy runs, with a certificate of the CA
(--ssldir, --certname): that of the machine's agent will do.

Options:
  --socket PATH          HAProxy's socket, as 'bunraku haproxy config --socket PATH' sets it up
  --pcp-port PORT        The brokers' port on the compile servers, where HAProxy balances brokers, too
  --health-port PORT     Where to check servers over plain HTTP (default: the health_port that each reports)
  --send-proxy           Tell the servers the agents' addresses (PROXY protocol); their setting trusted_proxies must
                         name this HAProxy first
  --interval SECONDS     How often to ask (default 2)
  --once                 Ask once, and end when HAProxy is as it should be
`,
  async run(args, io) {
    const line = readCommandLine(args, {
      withValue: ['--socket', '--pcp-port', '--health-port', '--interval'],
      flags: ['--send-proxy', '--once'],
    });
    const socket = lastOf(line, '--socket');
    if (socket === undefined) throw new UsageError("name HAProxy's socket with --socket");
    refuseWords(line.positional);
    const pcpPort = lastOf(line, '--pcp-port') ?? 'none';
    const healthPort = lastOf(line, '--health-port');
    const log = createLogger({ level: line.settings.logLevel, format: io.isTerminal ? 'text' : 'json' });
    const follower = new HaproxyFollower({
      socket: new HaproxySocket(socket),
      log,
      sendProxy: line.flags.has('--send-proxy'),
      ...(pcpPort === 'none' ? {} : { pcpPort: parsePort(pcpPort) }),
      ...(healthPort === undefined ? {} : { healthPort: parsePort(healthPort) }),
    });
    if (line.flags.has('--once')) return followOnce(line.settings, follower, io);
    return follow(line, follower, log, io);
  },
};

async function followOnce(settings: Settings, follower: HaproxyFollower, io: CommandIo): Promise<number> {
  const servers = await listServers(settings);
  while (!(await follower.apply(servers))) {
    if (io.signal.aborted) return 1;
    await pause(retryMs, io.signal);
  }
  return 0;
}

async function follow(
  line: CommandLine,
  follower: HaproxyFollower,
  log: RootLogger,
  io: CommandIo,
): Promise<number> {
  const intervalMs = secondsIn(lastOf(line, '--interval') ?? '2') * 1000;
  let isFailing = false;
  while (!io.signal.aborted) {
    try {
      await follower.apply(await listServers(line.settings));
      if (isFailing) log.info({}, 'follows the compile servers again');
      isFailing = false;
    } catch (err) {
      // Once: what is wrong lasts for many rounds.
      if (!isFailing) log.warn({ err }, 'can not follow the compile servers, leaving HAProxy as it is');
      isFailing = true;
    }
    await pause(intervalMs, io.signal);
  }
  return 0;
}

/** @throws Error when the primary is away */
async function listServers(settings: Settings): Promise<readonly FollowedServer[]> {
  const { servers } = ListWire.parse(
    await askPrimary(settings, { method: 'GET', path: '/load-balancer/v1/servers', timeoutMs: 5000 }),
  );
  return servers.map(({ address, certname, health_port: healthPort, state, url }) => {
    const { hostname, port } = new URL(url);
    const isLeaving = state === 'leaving' || state === 'drained';
    const place = { host: hostname, port: port === '' ? 443 : Number(port), address, healthPort };
    return { certname, ...place, isLeaving };
  });
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    // Told to stop: the loop sees it.
  }
}

function secondsIn(text: string): number {
  const seconds = Number(text);
  if (seconds > 0) return seconds;
  throw new UsageError(`'${text}' is not a number of seconds`);
}

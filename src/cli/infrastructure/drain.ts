/** `bunraku infrastructure drain` */

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Command, type CommandIo, UsageError } from '../command.ts';
import { type CommandLine, readCommandLine } from '../own-options.ts';
import { askInfrastructure, connectionOptions, connectionUsage } from './connection.ts';
import { departureTimeoutMs } from './forget.ts';

const StatusWire = z.object({
  servers: z.array(z.object({ certname: z.string(), state: z.string(), undelivered: z.number() })),
});

const pollMs = 500;

export const infrastructureDrainCommand: Command = {
  name: 'infrastructure drain',
  summary: 'Let a compile server drain and leave, in order',
  usage: `
Usage: bunraku infrastructure drain CERTNAME [--no-wait] [--SETTING VALUE ...]

Health checks of the server fail first, its broker sends PXP agents to others, requests that are under way end, and what it
keeps is delivered. Then its certificate is revoked and removed, PuppetDB deactivates it, load balancers that follow the
primary remove it, and a driver that launched it ends it. The order is stored: it is carried out also when the primary is restarted
in between. 'infrastructure forget' is for a server that has vanished.

  --no-wait            Only give the order
${connectionUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [...connectionOptions], flags: ['--no-wait'] });
    const [certname] = line.positional;
    if (certname === undefined || line.positional.length > 1)
      throw new UsageError('name one server: CERTNAME');
    const path = `/servers/${encodeURIComponent(certname)}/drain`;
    await askInfrastructure(line, { method: 'POST', path });
    io.stdout(`${certname} is told to leave\n`);
    return line.flags.has('--no-wait') ? 0 : await watch(line, certname, io);
  },
};

async function watch(line: CommandLine, certname: string, io: CommandIo): Promise<number> {
  const deadline = performance.now() + departureTimeoutMs;
  for (let said = ''; performance.now() < deadline && !io.signal.aborted; await sleep(pollMs)) {
    const { servers } = StatusWire.parse(await askInfrastructure(line, { method: 'GET', path: '/status' }));
    const server = servers.find((each) => each.certname === certname);
    if (server === undefined) {
      io.stdout(`${certname} has left the installation\n`);
      return 0;
    }
    const now = `${certname} is ${server.state}, ${server.undelivered} messages to deliver\n`;
    if (now !== said) io.stdout(now);
    said = now;
  }
  io.stderr(`${certname} has not left yet; the order stands\n`);
  return 1;
}

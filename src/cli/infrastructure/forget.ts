/** `bunraku infrastructure forget` */

import { z } from 'zod';
import { type Command, type CommandIo, UsageError } from '../command.ts';
import { readCommandLine } from '../own-options.ts';
import { askInfrastructure, connectionOptions, connectionUsage } from './connection.ts';

const DepartureWire = z.object({
  certname: z.string(),
  drained: z.enum(['yes', 'not-needed', 'skipped']),
  revoked: z.boolean(),
  deactivated: z.boolean(),
});

/** Draining takes a while: its delay, its requests, its deliveries. */
export const departureTimeoutMs = 150_000;

export const infrastructureForgetCommand: Command = {
  name: 'infrastructure forget',
  summary: 'Let a compile server leave: drain, revoke, deactivate, forget',
  usage: `
Usage: bunraku infrastructure forget CERTNAME [--force] [--SETTING VALUE ...]

A server that is in contact turns unhealthy first, finishes what is under way, delivers what it keeps and ends. Then its
certificate is revoked and removed, PuppetDB deactivates it, and the primary forgets it. One that has vanished is forgotten
at once. May be repeated when it was interrupted. Run it on the primary, with the settings that it runs with, or with a token.

  --force              Don't wait until it has drained; also for a name that is not known as a compile server
${connectionUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [...connectionOptions], flags: ['--force'] });
    const { flags, positional } = line;
    const [certname] = positional;
    if (certname === undefined || positional.length > 1) throw new UsageError('name one server: CERTNAME');
    const answer = await askInfrastructure(line, {
      method: 'DELETE',
      path: `/servers/${encodeURIComponent(certname)}?force=${flags.has('--force')}`,
      timeoutMs: departureTimeoutMs,
    });
    reportDeparture(answer, io);
    return 0;
  },
};

/** Says what was done. @param answer - of the primary */
export function reportDeparture(answer: unknown, io: CommandIo): void {
  const { certname, deactivated, drained, revoked } = DepartureWire.parse(answer);
  const words = {
    yes: `${certname} has drained\n`,
    'not-needed': `${certname} is not running: there was nothing to drain\n`,
    skipped: '',
  };
  io.stdout(words[drained]);
  io.stdout(
    revoked
      ? `Certificate of ${certname} has been revoked and removed\n`
      : `${certname} had no certificate\n`,
  );
  if (deactivated) io.stdout(`${certname} is deactivated in PuppetDB\n`);
  io.stdout(`${certname} has left the installation\n`);
}

/** `bunraku db status` */

import { z } from 'zod';
import type { Command } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { readCommandLine, refuseWords } from '../own-options.ts';
import { askPuppetDb, puppetDbOptions, puppetDbUsage, textOf } from './connection.ts';

const StatusWire = z.looseObject({
  state: z.string(),
  service_version: z.string(),
  status: z.looseObject({ queue_depth: z.number().nullable(), 'write_db_up?': z.boolean() }),
});
const MetricsWire = z.array(z.looseObject({ value: z.union([z.number(), z.string()]).optional() }));

/** What is shown, and the bean and attribute that it comes from. */
const figures = [
  ['active nodes', 'puppetlabs.puppetdb.population:name=num-nodes', 'Value'],
  ['inactive nodes', 'puppetlabs.puppetdb.population:name=num-inactive-nodes', 'Value'],
  ['resources', 'puppetlabs.puppetdb.population:name=num-resources', 'Value'],
  ['commands carried out', 'puppetlabs.puppetdb.mq:name=global.processed', 'Count'],
  ['milliseconds for a command', 'puppetlabs.puppetdb.mq:name=global.processing-time', '50thPercentile'],
  [
    'commands that could not be carried out',
    'puppetlabs.puppetdb.dlo:name=puppetlabs.puppetdb.dlo.global.messages',
    'Count',
  ],
] as const;

export const dbStatusCommand: Command = {
  name: 'db status',
  summary: 'Show the state of PuppetDB and how much is in it',
  usage: `
Usage: bunraku db status [--format text|json] [OPTIONS] [--SETTING VALUE ...]

Exit code 1 when it is not running.

${puppetDbUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [...puppetDbOptions, '--format'], flags: [] });
    refuseWords(line.positional);
    const format = outputFormat(line);
    const path = '/status/v1/services/puppetdb-status';
    const { signal } = io;
    const status = StatusWire.parse(
      JSON.parse(await textOf(await askPuppetDb(line, { method: 'GET', path, signal }))),
    );
    const requests = figures.map(([, mbean, attribute]) => ({ type: 'read', mbean, attribute }));
    const asked = { method: 'POST', path: '/metrics/v2', body: JSON.stringify(requests), signal } as const;
    const metrics = MetricsWire.parse(JSON.parse(await textOf(await askPuppetDb(line, asked))));
    const counts = Object.fromEntries(figures.map(([name], index) => [name, metrics[index]?.value ?? null]));
    if (format === 'json') io.stdout(renderJson({ ...status, figures: counts }));
    else {
      io.stdout(
        `PuppetDB ${status.service_version}: ${status.state}, ${status.status.queue_depth ?? 0} commands waiting\n`,
      );
      for (const [name, value] of Object.entries(counts)) {
        const shown = typeof value === 'number' ? Math.round(value * 100) / 100 : (value ?? '-');
        io.stdout(`${name}: ${shown}\n`);
      }
    }
    return status.state === 'running' ? 0 : 1;
  },
};

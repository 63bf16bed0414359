/** `bunraku autoscaler metric` */

import { z } from 'zod';
import type { Command } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { readCommandLine, refuseWords } from '../own-options.ts';
import { askAutoscaler, connectionOptions, connectionUsage } from './connection.ts';

const MetricWire = z.looseObject({ capacity_used: z.number() });

export const autoscalerMetricCommand: Command = {
  name: 'autoscaler metric',
  summary: 'Print the number that platforms scale by: the capacity used, in percent',
  usage: `
Usage: bunraku autoscaler metric [--format text|json] [--SETTING VALUE ...]

Fails while the number is not known: a script must not take that for 0. Run it on the primary, with the settings that it runs
with, or with a token.

  --format FORMAT      text (default): the number alone; or json, with the figures that it is made of
${connectionUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: ['--format', ...connectionOptions], flags: [] });
    refuseWords(line.positional);
    const format = outputFormat(line);
    const metric = MetricWire.parse(await askAutoscaler(line, { method: 'GET', path: '/metric' }));
    io.stdout(format === 'json' ? renderJson(metric) : `${metric.capacity_used}\n`);
    return 0;
  },
};

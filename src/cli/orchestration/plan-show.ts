/** `bunraku plan list` and `plan show` */

import { z } from 'zod';
import type { Command } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { readCommandLine, refuseWords } from '../own-options.ts';
import { itemPath, listingOptions, listingUsage, listPath } from './code-listing.ts';
import { askOrchestrator } from './connection.ts';

export const planListCommand: Command = {
  name: 'plan list',
  summary: 'List the plans that you may run',
  usage: `
Usage: bunraku plan list [OPTIONS]

${listingUsage('plan')}`,
  async run(args, io) {
    const line = readCommandLine(args, listingOptions);
    refuseWords(line.positional);
    const answer = await askOrchestrator(line, { method: 'GET', path: listPath('plan', line) });
    if (outputFormat(line) === 'json') io.stdout(renderJson(answer));
    else
      for (const { name, permitted } of PlansWire.parse(answer).items) if (permitted) io.stdout(`${name}\n`);
    return 0;
  },
};

export const planShowCommand: Command = {
  name: 'plan show',
  summary: 'Show what a plan does, and its parameters',
  usage: `
Usage: bunraku plan show PLAN [OPTIONS]

${listingUsage('plan')}`,
  async run(args, io) {
    const line = readCommandLine(args, listingOptions);
    const answer = await askOrchestrator(line, { method: 'GET', path: itemPath('plan', line) });
    io.stdout(outputFormat(line) === 'json' ? renderJson(answer) : describe(PlanWire.parse(answer)));
    return 0;
  },
};

const PlansWire = z.object({ items: z.array(z.object({ name: z.string(), permitted: z.boolean() })) });
const PlanWire = z.object({
  name: z.string(),
  metadata: z.object({
    description: z.string().optional(),
    parameters: z.record(
      z.string(),
      z.object({
        type: z.string(),
        default_value: z.string().optional(),
        description: z.string().optional(),
      }),
    ),
  }),
});

function describe({ metadata, name }: z.infer<typeof PlanWire>): string {
  const parameters = Object.entries(metadata.parameters);
  const lines = [
    metadata.description === undefined ? name : `${name} - ${metadata.description}`,
    ...parameters.flatMap(([parameter, { default_value: value, description, type }]) => [
      `- ${parameter} : ${type}${value === undefined ? '' : ` = ${value}`}`,
      ...(description === undefined ? [] : [`    ${description}`]),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

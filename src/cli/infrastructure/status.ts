/** `bunraku infrastructure status` */

import { z } from 'zod';
import type { Command } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { readCommandLine, refuseWords } from '../own-options.ts';
import { tableLines } from '../text-table.ts';
import { askInfrastructure, connectionOptions, connectionUsage } from './connection.ts';

const LoadWire = z.object({
  workers: z.number(),
  busy_workers: z.number(),
  queued: z.number(),
  load_average: z.number(),
});
const ServerWire = z.looseObject({
  certname: z.string(),
  role: z.string(),
  state: z.string(),
  last_contact: z.string().nullable(),
  code: z.record(z.string(), z.string()),
  load: LoadWire.nullable(),
  undelivered: z.number(),
});
const ServiceWire = z.looseObject({
  state: z.string(),
  display_name: z.string(),
  server: z.string(),
  url: z.string(),
  alerts: z.array(z.object({ severity: z.string(), message: z.string() })),
});
const StatusWire = z.object({ servers: z.array(ServerWire), services: z.array(ServiceWire) });

type Server = z.infer<typeof ServerWire>;
type Service = z.infer<typeof ServiceWire>;

export const infrastructureStatusCommand: Command = {
  name: 'infrastructure status',
  summary: 'Show the primary and each compile server: state, services, code, load',
  usage: `
Usage: bunraku infrastructure status [--format text|json] [--SETTING VALUE ...]

Run it on the primary, with the settings that it runs with, or with a token. Ends with 1 when a service is not running.

  --format FORMAT   text (default), or json: one object for each service of each server, with the fields that
                    'puppet infrastructure status' prints; that of Puppet Server also says role, code, load and
                    last_contact in its status
${connectionUsage}
The code of an environment is the commit that a server serves; environments that all servers serve from the same commit
are shown once.
`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: ['--format', ...connectionOptions], flags: [] });
    refuseWords(line.positional);
    const format = outputFormat(line);
    const { servers, services } = StatusWire.parse(
      await askInfrastructure(line, { method: 'GET', path: '/status' }),
    );
    const isGood = services.every(({ state }) => state === 'running');
    if (format === 'json') io.stdout(renderJson(services));
    else io.stdout(renderText(servers, services, Date.now()));
    return isGood ? 0 : 1;
  },
};

function renderText(servers: readonly Server[], services: readonly Service[], nowMs: number): string {
  const shared = sharedCode(servers);
  const rows = servers.map((server) => ({
    SERVER: server.certname,
    ROLE: server.role,
    STATE: server.state,
    'LAST CONTACT': ageOf(server.last_contact, nowMs),
    COMPILING: server.load === null ? '-' : compiling(server.load),
    LOAD: server.load === null ? '-' : String(server.load.load_average),
    UNDELIVERED: String(server.undelivered),
    CODE: codeOf(server, shared),
  }));
  const lines = services.map(
    ({ display_name: name, server, state, url }) => `${name}: ${capitalised(state)} on ${server}, ${url}`,
  );
  const alerts = services.flatMap(({ alerts: list, server }) =>
    list.map(({ message, severity }) => `${capitalised(severity)}: ${server}: ${message}`),
  );
  const running = services.filter(({ state }) => state === 'running').length;
  const code = Object.entries(shared).map(([environment, commit]) => `${environment} ${commit}`);
  return [
    ...tableLines(rows),
    '',
    ...(code.length === 0
      ? []
      : ['Code that all servers in contact serve:', ...code.map((text) => `  ${text}`), '']),
    ...lines,
    ...alerts,
    `${running} of ${services.length} services are fully operational.`,
    '',
  ].join('\n');
}

function isInContact({ state }: Server): boolean {
  return !['unreachable', 'stopped', 'drained', 'joining'].includes(state);
}

/** Environments that every server in contact serves from the same commit. */
function sharedCode(servers: readonly Server[]): Readonly<Record<string, string>> {
  const [first, ...others] = servers.filter(isInContact);
  const entries = Object.entries(first?.code ?? {});
  return Object.fromEntries(
    entries.filter(([name, commit]) => others.every(({ code }) => code[name] === commit)),
  );
}

function codeOf(server: Server, shared: Readonly<Record<string, string>>): string {
  const { code } = server;
  const own = Object.entries(code).filter(([name]) => shared[name] === undefined || !isInContact(server));
  if (own.length > 0) return own.map(([name, commit]) => `${name} ${commit.slice(0, 10)}`).join(', ');
  return Object.keys(code).length === 0 ? 'none' : 'as all';
}

function compiling({ busy_workers: busy, queued, workers }: NonNullable<Server['load']>): string {
  return `${busy}/${workers}${queued === 0 ? '' : ` +${queued}`}`;
}

function ageOf(time: string | null, nowMs: number): string {
  if (time === null) return 'never';
  const seconds = Math.max(0, Math.round((nowMs - Date.parse(time)) / 1000));
  if (seconds < 120) return `${seconds} s ago`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min ago` : time;
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

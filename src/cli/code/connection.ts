/** Commands that ask the code manager. */

import { existsSync, readFileSync } from 'node:fs';
import { ServiceError } from '../../lib/service-error.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { type CommandLine, lastOf } from '../own-options.ts';
import { primaryUrl, requestJson } from '../primary-connection.ts';

/** Options of every command that asks the code manager. */
export const connectionOptions = ['--service-url', '--token-file', '-t', '--cacert'] as const;

export const connectionUsage = `  --service-url URL    Where the code manager is (default: on the primary, https://PRIMARY:8170/code-manager)
  --token-file FILE    A token to show instead of this machine's certificate
  --cacert FILE        The certificate of the CA (default: the setting localcacert)
`;

export interface CodeRequest {
  readonly method: 'GET' | 'POST';
  /** Below `/code-manager`, with its leading slash. */
  readonly path: string;
  readonly body?: unknown;
  readonly timeoutMs?: number;
}

/** Whether this installation deploys from control repositories, rather than what somebody staged. */
export function hasCodeManager({ values, settings }: CommandLine): boolean {
  if (values.has('--service-url')) return true;
  return settings.codeManagerPort !== 0 && existsSync(settings.codeManagerConfig);
}

/** @throws ServiceError `unavailable` when nobody answers; Error with what the code manager said */
export async function askCodeManager(line: CommandLine, request: CodeRequest): Promise<unknown> {
  const { settings } = line;
  const tokenFile = lastOf(line, '--token-file') ?? lastOf(line, '-t');
  const credentials = {
    ca: read(lastOf(line, '--cacert') ?? settings.localCaCert),
    ...(tokenFile === undefined
      ? { certificate: read(settings.hostCert), privateKey: read(settings.hostPrivKey) }
      : {}),
  };
  const { path, timeoutMs = 60_000, ...others } = request;
  try {
    return await requestJson(credentials, {
      ...others,
      url: `${lastOf(line, '--service-url') ?? codeManagerUrl(settings)}${path}`,
      ...(tokenFile === undefined ? {} : { headers: { 'x-authentication': read(tokenFile).trim() } }),
      timeoutMs,
    });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.reason !== 'unavailable') throw error;
    throw new Error(`${error.message}. ${absenceHint(line)}`, { cause: error });
  }
}

/** What may be the reason that nobody answers. */
function absenceHint(line: CommandLine): string {
  const { codeManagerConfig, codeManagerPort, primary } = line.settings;
  // On another host nobody knows what the primary has.
  if (primary !== '' || hasCodeManager(line))
    return 'Does the primary run, and had it its r10k.yaml when it was started?';
  const what =
    codeManagerPort === 0
      ? 'The code manager is switched off: set code_manager_port (8170 is usual)'
      : `There is no code manager without ${codeManagerConfig}: name the control repository in it`;
  return `${what} and start the primary again. Until then 'bunraku code commit' deploys what is staged`;
}

function codeManagerUrl(settings: Settings): string {
  return `${primaryUrl(settings).replace(/:\d+$/, `:${settings.codeManagerPort}`)}/code-manager`;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const hint =
      'Run this on the primary with the settings that it runs with (--data, --config, --certname), or name a --token-file and a --cacert';
    throw new Error(`cannot read ${path}. ${hint}`, { cause });
  }
}

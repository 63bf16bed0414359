/** What agents are sent to run Puppet: the flags of `pxp-module-puppet run`. */

import type { AgentRequest } from './jobs/job.ts';

export interface PuppetRun {
  /** Empty: each node uses its own. */
  readonly environment: string;
  /** Whether a node that is classified into another environment fails. */
  readonly isEnvironmentEnforced: boolean;
  /** `true` for `--noop`, `false` for `--no-noop`. */
  readonly noop?: boolean;
  readonly flags: PuppetFlags;
  /** Options with a value: `tags`, `filetimeout`. */
  readonly values: Readonly<Record<string, string>>;
}

/** Flags that may be given either way; absent means what the agent's configuration says. */
export type PuppetFlags = Readonly<Partial<Record<PuppetFlag, boolean>>>;

export const puppetFlags = [
  'debug',
  'trace',
  'evaltrace',
  'use_cached_catalog',
  'usecacheonfailure',
] as const;
export type PuppetFlag = (typeof puppetFlags)[number];

export const puppetValues = [
  'tags',
  'skip_tags',
  'ordering',
  'filetimeout',
  'http_connect_timeout',
  'http_keepalive_timeout',
  'http_read_timeout',
] as const;

export function puppetRequest(run: PuppetRun): AgentRequest {
  const { environment, flags, isEnvironmentEnforced, noop, values } = run;
  const words = [
    ...(isEnvironmentEnforced && environment !== ''
      ? ['--environment', environment, '--strict_environment_mode']
      : []),
    // Somebody waits for it.
    '--no-splay',
    ...(noop === undefined ? [] : [noop ? '--noop' : '--no-noop']),
    ...Object.entries(flags).map(([flag, isOn]) => (isOn ? `--${flag}` : `--no-${flag}`)),
    ...Object.entries(values).flatMap(([option, value]) => [`--${option}`, value]),
  ];
  return { module: 'pxp-module-puppet', action: 'run', params: { flags: words } };
}

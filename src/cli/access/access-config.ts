/** What `puppet-access.conf` of Puppet Enterprise's client tools says, the user's own before that of the machine. */

import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { withoutTrailingSlashes } from '../../lib/trailing-slashes.ts';
import { type CommandLine, lastOf } from '../own-options.ts';
import { defaultTokenFile, serviceUrl } from '../service-connection.ts';

export interface AccessConfig {
  /** Of `/rbac-api`. */
  readonly serviceUrl: string;
  readonly tokenFile: string;
  readonly caFile: string;
}

export const accessOptions = [
  '--service-url',
  '--token-file',
  '-t',
  '--ca-cert',
  '--cacert',
  '--config-file',
  '-c',
];

const ConfigWire = z.object({
  'service-url': z.string().optional(),
  'token-file': z.string().optional(),
  'certificate-file': z.string().optional(),
});

type Config = z.infer<typeof ConfigWire>;

const machineFile = '/etc/puppetlabs/client-tools/puppet-access.conf';

/** @throws Error for files that are no JSON, and where nothing says where the service is */
export function readAccessConfig(line: CommandLine): AccessConfig {
  const config = readConfigs(line);
  const { settings } = line;
  const url = lastOf(line, '--service-url') ?? config['service-url'] ?? rbacUrl(line);
  if (url === undefined)
    throw new Error(
      'Where is the service? Give --service-url https://PRIMARY:4433/rbac-api or set console_services_port',
    );
  return {
    serviceUrl: withoutTrailingSlashes(url),
    tokenFile: tokenFileOf(line, config),
    caFile:
      lastOf(line, '--ca-cert') ??
      lastOf(line, '--cacert') ??
      config['certificate-file'] ??
      settings.localCaCert,
  };
}

/** Where the token is. */
export function tokenFileIn(line: CommandLine): string {
  return tokenFileOf(line, readConfigs(line));
}

/** Where the primary has `/rbac-api`; `undefined` when no port is known for it. */
function rbacUrl({ settings }: CommandLine): string | undefined {
  const url = serviceUrl(settings, settings.consoleServicesPort, 4433);
  return url && `${url}/rbac-api`;
}

function readConfigs(line: CommandLine): Config {
  const given = lastOf(line, '--config-file') ?? lastOf(line, '-c');
  const own = given ?? join(homedir(), '.puppetlabs', 'client-tools', 'puppet-access.conf');
  return { ...readConfig(machineFile, false), ...readConfig(own, given !== undefined) };
}

function tokenFileOf(line: CommandLine, config: Config): string {
  const [given] = ['--token-file', '-t', '--token-path'].flatMap((name) => lastOf(line, name) ?? []);
  const file = given ?? config['token-file'];
  return file?.replace(/^~(?=\/)/, homedir()) ?? defaultTokenFile();
}

function readConfig(file: string, isNeeded: boolean): Config {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (!isNeeded && (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`cannot read ${file}`, { cause: error });
  }
  try {
    return ConfigWire.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${file} is not what puppet-access reads: an object of JSON`, { cause: error });
  }
}

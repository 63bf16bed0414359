/** The site that `bunraku ca` works on: what a server here would read, with what the flags change. */

import { readFileSync } from 'node:fs';
import { commandSources, loadSettings, parseFlags, type Settings } from '../../platform/settings/index.ts';
import { readSiteCa } from '../../server/ca/site-ca.ts';
import type { CaSettings } from '../../services/ca/index.ts';
import type { CaFlags, FlagKind } from './arguments.ts';

export interface CaSite {
  readonly settings: Settings;
  readonly ca: CaSettings;
}

/** Flags of every action: where the site's settings are. */
export const siteFlags: Readonly<Record<string, FlagKind>> = {
  'ca-dir': 'text',
  'ssl-dir': 'text',
  'signing-command': 'text',
  config: 'text',
  data: 'text',
};

export const siteUsage = `  --ca-dir DIR               The CA directory (default: setting cadir)
  --ssl-dir DIR              Keys and certificates of this machine (default: setting ssldir)
  --config FILE              puppet.conf or bunraku.conf of this site
  --data DIR                 The one folder of an installation that has one
  --signing-command COMMAND  What signs in place of ca_key.pem (default: setting ca_signing_command)
  --help                     Display this command-specific help output
`;

/** Which setting each flag is. */
const settingOf: Readonly<Record<string, string>> = {
  'ca-dir': 'cadir',
  'ssl-dir': 'ssldir',
  'signing-command': 'ca-signing-command',
  'ca-name': 'ca-name',
  keylength: 'keylength',
  data: 'data',
};

/**
 * Reads the settings that a server on this machine would have: its files, the environment, the flags.
 *
 * @throws SettingsError or ServiceError `conflict` naming what is wrong and where
 */
export async function readCaSite(flags: CaFlags): Promise<CaSite> {
  const words = Object.entries(settingOf).flatMap(([flag, setting]) => {
    const value = flags.text(flag);
    return value === undefined ? [] : [`--${setting}=${value}`];
  });
  const config = flags.text('config');
  if (config !== undefined) words.push(`--${isPuppetConf(config) ? 'puppet-conf' : 'config'}=${config}`);
  const { settings } = loadSettings(commandSources(parseFlags(words)));
  return { settings, ca: (await readSiteCa(settings)).settings };
}

/** @throws Error naming the file */
function readConfigFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`Could not read file '${file}'`, { cause });
  }
}

/** `puppetserver ca --config` takes a `puppet.conf`, our servers take a `bunraku.conf`; only the former has sections. */
function isPuppetConf(file: string): boolean {
  return file.endsWith('puppet.conf') || /^\s*\[[a-z]+\]\s*$/m.test(readConfigFile(file));
}

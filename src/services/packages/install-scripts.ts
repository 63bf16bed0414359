/** The scripts that install agents, filled with what this server knows. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface InstallationTarget {
  /** Where agents will find their servers, as their certificates have it. */
  readonly server: string;
  readonly port: number;
  /** PEM of the authority and its issuers. */
  readonly caCertificates: string;
  /** Of PCP brokers on the same host; machines get no PXP agent when absent. */
  readonly brokerPort?: number | undefined;
}

export type InstallScript = 'install.bash' | 'install.ps1';

const settingsOf: Readonly<Record<InstallScript, (target: InstallationTarget) => string>> = {
  'install.bash': ({ server, port, brokerPort, caCertificates }) =>
    [
      `SERVER=${quoteForShell(server)}`,
      `PORT='${port}'`,
      `BROKER_PORT='${brokerPort ?? ''}'`,
      `CA_CERTIFICATES=${quoteForShell(caCertificates.trim())}`,
    ].join('\n'),
  'install.ps1': ({ server, port, caCertificates }) =>
    [
      `$Server = ${quoteForPowerShell(server)}`,
      `$Port = '${port}'`,
      `$CaCertificates = ${quoteForPowerShell(caCertificates.trim())}`,
    ].join('\n'),
};

/** What the file has between these lines is replaced. */
const settingsBlock = /(# settings: [^\n]*\n)[^]*?(\n# end of settings\n)/;

/** @returns the script as a machine is to run it */
export async function renderInstallScript(name: InstallScript, target: InstallationTarget): Promise<string> {
  const script = await readFile(join(scriptDirectory(), name), 'utf8');
  const settings = settingsOf[name](target);
  return script.replace(settingsBlock, (_, begin: string, end: string) => `${begin}${settings}${end}`);
}

/** Where the scripts lie: beside the bundle, or among the sources. */
function scriptDirectory(): string {
  const isBundle = import.meta.url.endsWith('.js');
  return fileURLToPath(new URL(isBundle ? './install-scripts' : './scripts', import.meta.url));
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function quoteForPowerShell(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** `bunraku ca signer` */

import { listenSigner } from '../../services/ca/index.ts';
import type { CaAction } from './action.ts';
import { readCaSite, siteFlags, siteUsage } from './site.ts';

export const caSignerAction: CaAction = {
  name: 'signer',
  summary: 'Run the signing process, which alone has the key, as a user of its own',
  usage: `Usage:
  bunraku ca signer [--help]
  bunraku ca signer [--ca-dir DIR] [--socket PATH]

Description:
  Signs certificates and CRLs for a server on this machine, and
  refuses all but certificates of nodes and ports, and CRLs of
  this authority. Only this process needs to read ca_key.pem. The
  server finds it with the setting ca_signer_socket. Runs until it is
  told to stop.

Options:
  --socket PATH              Where it listens (default: setting ca_signer_socket)
${siteUsage}`,
  flags: { ...siteFlags, socket: 'text' },
  problems: () => [],
  async run(flags, io) {
    const { ca, settings } = await readCaSite(flags);
    const path = flags.text('socket') ?? settings.caSignerSocket;
    if (path === '') {
      io.stderr('Name a socket: --socket PATH or the setting ca_signer_socket\n');
      return 1;
    }
    const signer = await listenSigner(path, ca.caDir, ca.signingCommand);
    io.stdout(`Signing for the authority in ${ca.caDir} on ${path}\n`);
    await new Promise<void>((resolve) => {
      if (io.signal.aborted) resolve();
      else io.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await signer.close();
    return 0;
  },
};

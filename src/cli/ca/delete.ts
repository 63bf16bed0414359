/** `bunraku ca delete` */

import { z } from 'zod';
import type { CaAction } from './action.ts';
import { renderCaErrors } from './arguments.ts';
import { openDirectory } from './offline.ts';
import { readCaSite, siteFlags, siteUsage } from './site.ts';

const StatusWire = z.looseObject({
  name: z.string(),
  state: z.enum(['requested', 'signed', 'revoked']),
  not_after: z.string().optional(),
});

export const caDeleteAction: CaAction = {
  name: 'delete',
  summary: 'Delete signed certificate(s) from disk',
  usage: `Usage:
  bunraku ca delete [--help]
  bunraku ca delete [--ca-dir DIR] --expired
  bunraku ca delete [--ca-dir DIR] --revoked
  bunraku ca delete [--ca-dir DIR] --certname NAME[,NAME]
  bunraku ca delete [--ca-dir DIR] --all

Description:
  Deletes signed certificates from disk. Once a node has its certificate,
  the copy is needed for lists only. Nothing is revoked: the inventory
  keeps the serial numbers for that.

Options:
  --expired                  Delete expired signed certificates
  --revoked                  Delete signed certificates that have already been revoked
  --certname NAME[,NAME]     One or more comma separated certnames
  --all                      Delete all signed certificates on disk
${siteUsage}`,
  flags: { ...siteFlags, expired: 'switch', revoked: 'switch', certname: 'list', all: 'switch' },
  problems(flags) {
    const chosen = ['expired', 'revoked', 'certname', 'all'].filter((name) => flags.has(name));
    if (chosen.length === 0) return ['  Must pass one of the valid flags to determine which certs to delete'];
    return flags.has('all') && chosen.length > 1
      ? ['  The --all flag must not be used with any other flags']
      : [];
  },
  async run(flags, io) {
    const ca = await openDirectory((await readCaSite(flags)).ca);
    try {
      const statuses = (await ca.encodedStatuses())
        .map((status) => StatusWire.parse(JSON.parse(status)))
        .filter(({ state }) => state !== 'requested');
      const certnames = flags.list('certname');
      const now = Date.now();
      const chosen = statuses.filter(
        ({ name, not_after: end, state }) =>
          flags.has('all') ||
          certnames.includes(name) ||
          (flags.has('revoked') && state === 'revoked') ||
          (flags.has('expired') && Date.parse((end ?? '').replace('UTC', 'Z')) < now),
      );
      for (const { name } of chosen) await ca.deleteCertificate(name);
      const missing = certnames.filter((name) => !statuses.some((status) => status.name === name));
      if (missing.length > 0)
        io.stderr(renderCaErrors(missing.map((name) => `    Could not find certificate file for ${name}`)));
      io.stdout(`${chosen.length} signed certificates deleted.\n`);
      return missing.length > 0 ? 24 : 0;
    } finally {
      await ca.close();
    }
  },
};

/** What the site's settings and its `ca.conf` say of the authority: the same for the server and for `bunraku ca`. */

import type { Settings } from '../../platform/settings/index.ts';
import { type CaConf, type CaSettings, defaultCaSettings, loadCaConf } from '../../services/ca/index.ts';

export interface SiteCa {
  readonly settings: CaSettings;
  /** Who may use the status endpoints, where `ca.conf` says so in the old way. */
  readonly statusAccess: CaConf['statusAccess'];
}

/** @throws ServiceError `conflict` naming `ca.conf` and what is wrong with it */
export async function readSiteCa(settings: Settings): Promise<SiteCa> {
  const conf = await loadCaConf(settings.caConf);
  return {
    statusAccess: withOwnName(conf.statusAccess, settings.certname),
    settings: {
      ...defaultCaSettings,
      caDir: settings.caDir,
      caName: settings.caName,
      key: { kind: 'rsa', bits: settings.keyLength },
      certificateTtlSeconds: settings.caTtlSeconds,
      autosign: settings.autosign,
      allowDuplicateCerts: settings.allowDuplicateCerts,
      autoRenewalTtlSeconds: conf.autoRenewalTtlSeconds ?? settings.autoRenewalTtlSeconds,
      signingCommand: settings.caSigningCommand.split(' ').filter((word) => word !== ''),
      policyFile: settings.signingPolicy,
      oidMappingFile: settings.oidMappingFile,
      maxPendingRequests: settings.caMaxPendingRequests,
      allowSubjectAltNames: settings.allowSubjectAltNames || conf.settings.allowSubjectAltNames === true,
      allowAuthorizationExtensions:
        settings.allowAuthorizationExtensions || conf.settings.allowAuthorizationExtensions === true,
      allowAutoRenewal: settings.allowAutoRenewal || conf.settings.allowAutoRenewal === true,
      serverRoles: settings.compileServerRoles,
      enableInfraCrl: settings.enableInfraCrl || conf.settings.enableInfraCrl === true,
    },
  };
}

/** The primary's own commands use its certificate: a list that names others must not shut them out. */
function withOwnName(access: CaConf['statusAccess'], certname: string): CaConf['statusAccess'] {
  return access === undefined ? undefined : { ...access, certnames: [...access.certnames, certname] };
}

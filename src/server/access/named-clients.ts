/** Clients that groups of nodes name, as the parameters of Puppet Enterprise's classes do; a change holds at once. */

import type { InfrastructureValues } from '../../services/classifier/index.ts';

type Names = (certname: string) => boolean;

/** @param values - the values of the primary's groups; no client is named when they are absent */
export function namedClients(
  values: InfrastructureValues | undefined,
): Readonly<Record<'ofAuthority' | 'ofPuppetDb', Names>> {
  const inAny = (profile: string, parameters: readonly string[]): Names => {
    const className = `puppet_enterprise::profile::${profile}`;
    return (certname) =>
      parameters.some((parameter) => values?.lists(className, parameter, certname) === true);
  };
  return {
    ofAuthority: inAny('certificate_authority', ['client_whitelist', 'client_allowlist']),
    ofPuppetDb: inAny('puppetdb', ['whitelisted_certnames', 'allowlisted_certnames']),
  };
}

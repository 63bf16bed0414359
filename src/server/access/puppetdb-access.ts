/** Which clients may do what on the port of PuppetDB. */

import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import {
  type Access,
  type Identity,
  type IdentityAccess,
  isAllowed,
  operators,
} from '../../platform/http/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { PuppetDbRouteOptions } from '../../services/puppetdb/index.ts';
import { certnames } from './port-access.ts';

type PuppetDbAccess = Pick<
  PuppetDbRouteOptions,
  'allow' | 'allowAdmin' | 'allowCommands' | 'restrictedCertname'
>;

/**
 * The primary, operators and the certnames of the allow list may do everything; compile servers read and write; all other
 * nodes send commands of their own only. Users do what their roles permit.
 *
 * @param isInfrastructure - recognises compile servers
 * @param isNamed - recognises others that may do everything
 */
export function puppetDbAccess(
  { certname, puppetDbAllowlist }: Pick<Settings, 'certname' | 'puppetDbAllowlist'>,
  isInfrastructure: (identity: Identity) => boolean,
  isNamed: (certname: string) => boolean = () => false,
): PuppetDbAccess {
  const named = certnames([certname, ...puppetDbAllowlist.flatMap(namesIn)]);
  const trusted: readonly IdentityAccess[] = [named, operators, { kind: 'certname', allows: isNamed }];
  const servers: readonly Access[] = [...trusted, { kind: 'infrastructure' }];
  const anyNode: IdentityAccess = { kind: 'certname', allows: () => true };
  return {
    allow: usersAnd('view_data', servers),
    allowCommands: usersAnd('edit_data', [anyNode]),
    allowAdmin: usersAnd('edit_data', trusted),
    restrictedCertname: (identity) => {
      if (identity.kind !== 'certificate' || isInfrastructure(identity)) return undefined;
      return isAllowed({ kind: 'any-of', of: trusted }, identity) ? undefined : identity.certname;
    },
  };
}

function usersAnd(action: string, others: readonly Access[]): Access {
  return {
    kind: 'any-of',
    of: [{ kind: 'permission', permission: { objectType: 'nodes', action } }, ...others],
  };
}

/** A path is a file with a certname in each line, as the reference's `certificate-allowlist`. */
function namesIn(entry: string): readonly string[] {
  if (!isAbsolute(entry)) return [entry];
  const lines = readFileSync(entry, 'utf8').split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}

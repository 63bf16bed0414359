/**
 * Puppet Server's `ca.conf`: an installation that is taken over keeps what it says.
 *
 * @see "ca.conf" in the Puppet Server documentation
 */

import { z } from 'zod';
import { HoconError, parseHocon } from '../../../lib/hocon/index.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import type { CaSettings } from '../ca-settings.ts';
import { findFile } from '../directory/ca-directory.ts';
import type { StatusAccess } from '../http/status-routes.ts';
import { parseTtl } from '../validity.ts';

type SwitchName =
  | 'allowSubjectAltNames'
  | 'allowAuthorizationExtensions'
  | 'allowAutoRenewal'
  | 'enableInfraCrl';

export interface CaConf {
  /** Only what the file says. */
  readonly settings: Partial<Pick<CaSettings, SwitchName>>;
  readonly autoRenewalTtlSeconds: number | undefined;
  readonly statusAccess: StatusAccess | undefined;
}

const CaConfWire = z.looseObject({
  'certificate-authority': z
    .looseObject({
      'allow-subject-alt-names': z.boolean().optional(),
      'allow-authorization-extensions': z.boolean().optional(),
      'allow-auto-renewal': z.boolean().optional(),
      'auto-renewal-cert-ttl': z.string().optional(),
      'enable-infra-crl': z.boolean().optional(),
      'certificate-status': z
        .looseObject({
          'authorization-required': z.boolean().optional(),
          'client-whitelist': z.array(z.string()).optional(),
          'client-allowlist': z.array(z.string()).optional(),
        })
        .optional(),
    })
    .optional(),
});

type StatusWire = NonNullable<
  NonNullable<z.infer<typeof CaConfWire>['certificate-authority']>['certificate-status']
>;

/** @throws ServiceError `conflict` naming the file; a file that does not exist says nothing */
export async function loadCaConf(file: string): Promise<CaConf> {
  const found = await findFile(file);
  const parsed = CaConfWire.safeParse(found ? readHocon(found.content, file) : {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ServiceError('conflict', `${file}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  const wire = parsed.data['certificate-authority'] ?? {};
  const switches: Readonly<Record<SwitchName, boolean | undefined>> = {
    allowSubjectAltNames: wire['allow-subject-alt-names'],
    allowAuthorizationExtensions: wire['allow-authorization-extensions'],
    allowAutoRenewal: wire['allow-auto-renewal'],
    enableInfraCrl: wire['enable-infra-crl'],
  };
  const said = Object.entries(switches).filter(([, value]) => value !== undefined);
  return {
    settings: Object.fromEntries(said),
    autoRenewalTtlSeconds: decodeTtl(wire['auto-renewal-cert-ttl'], file),
    statusAccess: decodeStatusAccess(wire['certificate-status']),
  };
}

/** The reference leaves the decision to `auth.conf` unless a list has names or authorisation is off. */
function decodeStatusAccess(wire: StatusWire | undefined): StatusAccess | undefined {
  if (wire === undefined) return undefined;
  const isAuthorizationRequired = wire['authorization-required'] !== false;
  const certnames = [...(wire['client-whitelist'] ?? []), ...(wire['client-allowlist'] ?? [])];
  return isAuthorizationRequired && certnames.length === 0
    ? undefined
    : { isAuthorizationRequired, certnames };
}

function decodeTtl(text: string | undefined, file: string): number | undefined {
  const seconds = text === undefined ? undefined : parseTtl(text);
  if (text === undefined || seconds !== undefined) return seconds;
  throw new ServiceError('conflict', `${file}: auto-renewal-cert-ttl '${text}' is no time to live`);
}

function readHocon(text: string, file: string): unknown {
  try {
    return parseHocon(text);
  } catch (error) {
    if (error instanceof HoconError) throw new ServiceError('conflict', `${file}: ${error.message}`);
    throw error;
  }
}

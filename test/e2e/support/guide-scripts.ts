/**
 * The scripts of the article "Autoscaling Puppet compile masters with AWS". They are public, and not ours to keep: `GUIDE_SCRIPTS` names a
 * directory with `launcher.sh`, `purgescript.sh` and `startupscript.sh`. Without it, scripts of ours make the same calls.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Variables that users set at the top of each script. */
export interface ScriptSettings {
  readonly mom: string;
  readonly balancer: string;
  readonly token: string;
}

export const scriptDirectory = '/home/awsnodemanagement';
const names = ['launcher.sh', 'purgescript.sh', 'startupscript.sh'] as const;
export type ScriptName = (typeof names)[number];

const given = process.env['GUIDE_SCRIPTS'];

/** By name, set up. */
export function guideScripts(settings: ScriptSettings): readonly (readonly [ScriptName, string])[] {
  return names.map((name) => [name, given === undefined ? ours(name, settings) : theirs(name, settings)]);
}

function theirs(name: ScriptName, { balancer, mom, token }: ScriptSettings): string {
  const values = {
    momhostname: mom,
    awslbdns: balancer,
    rbactoken: token,
    cerfile: 'bundle.pem',
    keyfile: 'bundle.key',
  };
  let text = readFileSync(join(given ?? '', name), 'utf8');
  for (const [variable, value] of Object.entries(values))
    text = text.replace(new RegExp(`^${variable}=.*$`, 'm'), `${variable}=${value}`);
  return text;
}

function ours(name: ScriptName, { balancer, mom, token }: ScriptSettings): string {
  const asBundle = `curl --silent --cacert ${scriptDirectory}/ca.pem --cert ${scriptDirectory}/bundle.pem --key ${scriptDirectory}/bundle.key`;
  const json = "-H 'Content-Type: application/json'";
  const status = `https://${mom}:8140/puppet-ca/v1/certificate_status/$HOSTNAME`;
  const nodes = JSON.stringify({ environment: 'production', scope: { nodes: [mom] } });
  const deploy = `curl --silent -k -H 'X-Authentication:${token}' ${json} -d '${nodes}' https://${mom}:8143/orchestrator/v1/command/deploy`;
  const command =
    '{\\"command\\":\\"deactivate node\\",\\"version\\":3,\\"payload\\":{\\"certname\\":\\"$HOSTNAME\\"}}';
  const lines: Readonly<Record<ScriptName, readonly string[]>> = {
    'launcher.sh': [
      `curl --silent -k https://${mom}:8140/packages/current/install.bash | bash -s main:dns_alt_names=${balancer} extension_requests:pp_role=awsloadbalancer -- --puppet-service-ensure stopped`,
      `cp ${scriptDirectory}/nodepurge.service /etc/systemd/system/`,
      'systemctl daemon-reload',
      'systemctl enable --now nodepurge.service',
    ],
    'purgescript.sh': [
      `${asBundle} -X PUT ${json} -d '{"desired_state":"revoked"}' "${status}"`,
      `${asBundle} -X DELETE "${status}"`,
      `${asBundle} ${json} -d "${command}" https://${mom}:8081/pdb/cmd/v1`,
      deploy,
      'rm -rf /etc/puppetlabs/puppet/ssl',
    ],
    'startupscript.sh': ['/opt/puppetlabs/bin/puppet agent -t', deploy],
  };
  return ['#!/bin/bash', ...lines[name], ''].join('\n');
}

/** The article describes its unit without its text. */
export const nodePurgeUnit = `[Unit]
Description=Join at the start, purge at the end
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
RemainAfterExit=yes
# The startup script ends with the code of curl; the agent's own is 2 after changes.
ExecStart=${scriptDirectory}/startupscript.sh
ExecStop=${scriptDirectory}/purgescript.sh
TimeoutStartSec=15min
TimeoutStopSec=2min

[Install]
WantedBy=booted.target
`;

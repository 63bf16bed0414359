/** `/console-api/v1/agent-installation`: the line that makes a machine an agent, with the arguments that are asked for. */

import { createHash } from 'node:crypto';
import { ServiceError } from '../../lib/service-error.ts';
import {
  type Access,
  json,
  operators,
  type Route,
  route,
  type WantedPermission,
} from '../../platform/http/index.ts';
import { type AgentInstallation, AgentInstallationWire } from './answers/wire.ts';
import type { InstallationTarget } from './install-scripts.ts';
import { renderOneLiner } from './one-liner.ts';

const enough: readonly WantedPermission[] = [
  { objectType: 'cert_requests', action: 'accept_reject' },
  { objectType: 'infrastructure', action: 'view' },
  { objectType: 'infrastructure', action: 'edit' },
];
const allow: Access = {
  kind: 'any-of',
  of: [operators, ...enough.map((permission) => ({ kind: 'permission', permission }) as const)],
};

const namePattern = /^[a-z][a-z0-9_]*$/;
const altNamePattern = /^[A-Za-z0-9*._-]{1,253}$/;
const extensionPattern = /^([a-z][a-z0-9_]*|\d+(?:\.\d+)+)=([^\0\r\n]{1,500})$/;

/** @param target - asked each time: groups and certificates may change */
export function installationRoute(target: () => Promise<InstallationTarget>): Route {
  return route({
    method: 'GET',
    path: '/console-api/v1/agent-installation',
    allow,
    shapes: { answer: AgentInstallationWire },
    async handle({ query }) {
      const { caCertificates, port, server } = await target();
      const words = argumentsOf(query);
      const script = `https://${server}:${port}/packages/current/install.bash`;
      const tail = words.length === 0 ? '' : ` -s ${words.map(quoted).join(' ')}`;
      return json({
        server,
        port,
        ca_digest: createHash('sha256').update(caCertificates).digest('hex'),
        line: renderOneLiner({ server, port, caCertificates, arguments: words }),
        unverified_line: `curl -k ${script} | sudo bash${tail}`,
      } satisfies AgentInstallation);
    },
  });
}

/** The arguments of `install.bash`. @throws ServiceError `bad-request` naming the parameter */
function argumentsOf(query: URLSearchParams): readonly string[] {
  const environment = query.get('environment') ?? '';
  const altNames = listed(query, 'alt_names');
  const extensions = listed(query, 'extensions');
  if (environment !== '' && !namePattern.test(environment))
    throw invalid('environment', `'${environment}' is not the name of an environment`);
  for (const name of altNames)
    if (!altNamePattern.test(name)) throw invalid('alt_names', `'${name}' is not a name of a host`);
  for (const extension of extensions)
    if (!extensionPattern.test(extension)) throw invalid('extensions', `'${extension}' is not NAME=VALUE`);
  return [
    ...(environment === '' ? [] : [`main:environment=${environment}`]),
    ...(altNames.length === 0 ? [] : [`main:dns_alt_names=${altNames.join(',')}`]),
    ...extensions.map((extension) => `extension_requests:${extension}`),
  ];
}

function listed(query: URLSearchParams, name: string): readonly string[] {
  return (query.get(name) ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function quoted(word: string): string {
  return /^[A-Za-z0-9_:=.,@%+/-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function invalid(parameter: string, problem: string): ServiceError {
  return new ServiceError('bad-request', `${parameter}: ${problem}`, {
    kind: 'bunraku.packages/invalid-parameter',
    details: { parameter },
  });
}

/** Agents that ask servers for catalogs: with certificates of their own, on connections that they keep. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { simulatedFacts } from '../demo/simulated-facts.ts';
import { HttpClient } from '../src/platform/http-client/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  encodeCertificateRequest,
  encodePrivateKey,
} from '../src/platform/x509/index.ts';
import type { Fleet, FleetNode } from '../test/fleet/fleet.ts';
import type { GeneratedNode } from './compile-subjects.ts';

const factMinutes = 30;

/** A node with what its agent sends, and the client that sends it. */
export interface CatalogAgent {
  readonly certname: string;
  readonly body: string;
  readonly client: HttpClient;
}

/** A node before it has a certificate. */
export interface NodeToEnrol {
  readonly certname: string;
  readonly extensions: Readonly<Record<string, string>>;
  readonly environment: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

export function fleetNode(fleet: Fleet, node: FleetNode): NodeToEnrol {
  const { values } = JSON.parse(readFileSync(join(fleet.directory, node.facts), 'utf8')) as {
    readonly values: Readonly<Record<string, unknown>>;
  };
  return {
    certname: node.certname,
    extensions: node.extensions ?? {},
    environment: node.environment ?? 'production',
    facts: values,
  };
}

export function generatedNode({ certname }: GeneratedNode, environment: string): NodeToEnrol {
  return { certname, extensions: { pp_role: 'webserver' }, environment, facts: simulatedFacts(certname, 0) };
}

/** A certificate, as the node's agent gets it, and the request for its catalog. */
export async function enrol(node: NodeToEnrol, sslDir: string, port: number): Promise<CatalogAgent> {
  const { certname, extensions } = node;
  const keys = await createKeyPair({ kind: 'rsa', bits: 2048 });
  const request = encodeCertificateRequest(await createCertificateRequest({ certname, extensions }, keys));
  const ca = readFileSync(join(sslDir, 'certs', 'ca.pem'), 'utf8');
  const anonymous = new HttpClient({ ca });
  const url = `https://localhost:${port}/puppet-ca/v1`;
  const headers = { 'content-type': 'text/plain', accept: 'text/plain' };
  await anonymous.send({
    method: 'PUT',
    url: `${url}/certificate_request/${certname}`,
    headers,
    body: request,
  });
  const answer = await anonymous.send({ method: 'GET', url: `${url}/certificate/${certname}` });
  anonymous.close();
  if (answer.status !== 200) throw new Error(`no certificate for ${certname}: ${answer.body.toString()}`);
  const certificate = answer.body.toString();
  const client = new HttpClient({ ca, certificate, privateKey: encodePrivateKey(keys.privateKey) });
  return { certname, body: catalogRequest(node), client };
}

export function catalogRequest({ certname, environment, facts: values }: NodeToEnrol): string {
  const now = Date.now();
  const facts = {
    name: certname,
    values: { ...values, clientcert: certname },
    timestamp: new Date(now).toISOString(),
    expiration: new Date(now + factMinutes * 60_000).toISOString(),
  };
  return new URLSearchParams({
    environment,
    facts_format: 'application/json',
    // Agents encode them twice.
    facts: encodeURIComponent(JSON.stringify(facts)),
  }).toString();
}

/** @returns how many resources the catalog has; the answer's text when there is none */
export async function requestCatalog(
  port: number,
  { body, certname, client }: CatalogAgent,
): Promise<number | string> {
  const answer = await client.send({
    method: 'POST',
    url: `https://localhost:${port}/puppet/v3/catalog/${certname}`,
    headers: {
      accept: 'application/vnd.puppet.rich+json, application/json',
      // What Ruby says for agents: servers compress.
      'accept-encoding': 'gzip;q=1.0,deflate;q=0.6,identity;q=0.3',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body,
    timeoutMs: 300_000,
  });
  const isCoded = answer.headers['content-encoding'] === 'gzip';
  const text = (isCoded ? gunzipSync(answer.body) : answer.body).toString();
  return answer.status === 200
    ? text.split('"type":"').length - 1
    : `${answer.status}: ${text.slice(0, 200)}`;
}

/** Catalogs asked for by hand, as an agent would, but as often as a scenario needs. */

import type { HttpClient } from '../../../src/platform/http-client/index.ts';

export interface WireCatalog {
  readonly code_id: string | null;
  readonly environment: string;
  readonly resources: readonly {
    readonly type: string;
    readonly title: string;
    readonly parameters?: Readonly<Record<string, unknown>>;
  }[];
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface Wish {
  /** `production` unless another one is named. */
  readonly environment?: string;
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Asks one server for a node's catalog; whatever it answers is the result. */
export async function askForCatalog(
  client: HttpClient,
  serverUrl: string,
  certname: string,
  { environment = 'production', facts = {} }: Wish = {},
): Promise<Answer> {
  const values = JSON.stringify({
    name: certname,
    values: { os: { family: 'Debian', name: 'Debian' }, ...facts },
  });
  const form = new URLSearchParams({
    environment,
    facts_format: 'application/json',
    facts: encodeURIComponent(values),
  });
  const answer = await client.send({
    method: 'POST',
    url: `${serverUrl}/puppet/v3/catalog/${certname}?environment=${environment}`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/vnd.puppet.rich+json, application/json',
    },
    body: form.toString(),
    timeoutMs: 60_000,
  });
  return { status: answer.status, text: answer.body.toString('utf8') };
}

/** @throws Error when it is not answered with a catalog */
export async function fetchCatalog(
  client: HttpClient,
  serverUrl: string,
  certname: string,
  environment?: string,
): Promise<WireCatalog> {
  const wish = environment === undefined ? {} : { environment };
  const { status, text } = await askForCatalog(client, serverUrl, certname, wish);
  if (status !== 200) throw new Error(`${serverUrl} answered with status ${status}: ${text}`);
  return JSON.parse(text) as WireCatalog;
}

/** The messages of a catalog's notify resources, by title. */
export function notifications(catalog: WireCatalog): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    catalog.resources
      .filter((resource) => resource.type === 'Notify')
      .map((resource) => [resource.title, resource.parameters?.['message']]),
  );
}

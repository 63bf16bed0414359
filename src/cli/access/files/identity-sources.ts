/** Directories and identity providers in files: each is a set of settings, under the names that the API gives them. */

import { z } from 'zod';
import { processEnvironment } from '../../../platform/settings/index.ts';
import type { ServiceRequest } from '../../service-connection.ts';

/** Secrets are never shown, and never in a file, which may name environment variables that have them: `password_env`. */
const secrets = ['password', 'client_secret'];
const variableOf = (secret: string): string => `${secret}_env`;
/** IDs differ from installation to installation. */
const outside = ['id', ...secrets];

const Settings = z.record(z.string(), z.json());

/** Settings as a file has them. */
export const SourceWire = Settings.superRefine((settings, context) => {
  for (const key of outside)
    if (key in settings)
      context.addIssue(
        key === 'id'
          ? "'id' does not belong in a file"
          : `'${key}' is a secret: name an environment variable that has it as '${variableOf(key)}'`,
      );
});

export type SourceSettings = z.infer<typeof Settings>;

export interface SourceState {
  /** `directory`, `OpenID provider` or `SAML provider` */
  readonly kind: SourceKind;
  /** The name that people use. */
  readonly name: string;
  /** For imports of groups. */
  readonly id: string;
  readonly settings: SourceSettings;
}

interface SourceApi {
  /** The setting that has the name. */
  readonly key: string;
  readonly list: string;
  readonly save: (id: string | undefined) => { readonly method: 'POST' | 'PUT'; readonly path: string };
}

const command = (kind: string) => (id: string | undefined) =>
  ({ method: 'POST', path: `/v1/command/${kind}/${id === undefined ? 'create' : 'update'}` }) as const;

const apis = {
  directory: { key: 'display_name', list: '/v2/ldap', save: command('ldap') },
  'OpenID provider': { key: 'name', list: '/v1/oidc', save: command('oidc') },
  'SAML provider': {
    key: 'display_name',
    list: '/v1/saml',
    save: () => ({ method: 'PUT', path: '/v1/saml' }),
  },
} satisfies Record<string, SourceApi>;

export type SourceKind = keyof typeof apis;

/** The members of a file that have them. */
export const sourceKinds = {
  directories: 'directory',
  openid_providers: 'OpenID provider',
  saml_providers: 'SAML provider',
} as const satisfies Record<string, SourceKind>;

/** The only one has this name where groups are imported. */
const samlId = 'saml';

/** @param ask - as `askAccess`; those who may not see settings of directories have none */
export async function readSources(
  ask: (request: ServiceRequest) => Promise<unknown>,
): Promise<readonly SourceState[]> {
  const found = await Promise.all(
    Object.values(sourceKinds).map(async (kind) => {
      const { key, list } = apis[kind];
      const answer = await ask({ method: 'GET', path: list }).catch((error: unknown) => {
        if (isAbsent(error)) return [];
        throw error;
      });
      return z
        .array(Settings)
        .parse([answer].flat())
        .map((settings) => stateOf(kind, key, settings));
    }),
  );
  return found.flat();
}

function stateOf(kind: SourceKind, key: string, { id, ...settings }: SourceSettings): SourceState {
  return { kind, name: String(settings[key]), id: typeof id === 'string' ? id : samlId, settings };
}

/** SAML that is not configured is 404; someone else's settings are 403. */
function isAbsent(error: unknown): boolean {
  return (
    error instanceof Error && /SAML is not configured|permission directory_service:edit/.test(error.message)
  );
}

/** @throws Error for settings without a name */
export function nameOfSource(kind: SourceKind, settings: SourceSettings): string {
  const { key } = apis[kind];
  const name = settings[key];
  if (typeof name === 'string' && name.trim() !== '') return name;
  throw new Error(`${kind}: it needs '${key}'`);
}

/** What the file has that is not so: a line for each setting. */
export function sourceDifferences(
  before: SourceState | undefined,
  wanted: SourceSettings,
): readonly string[] {
  return Object.entries(withoutVariables(wanted)).flatMap(([key, value]) => {
    const [had, has] = [before?.settings[key] ?? '', value ?? ''].map((each) => textOf(key, each));
    if (had === has) return [];
    return [had === '' ? `+ ${key}: ${has}` : `~ ${key}: ${had} -> ${has}`];
  });
}

/** What the file leaves out of one stays. @throws Error for an environment variable that is not set */
export function saveSource(
  kind: SourceKind,
  before: SourceState | undefined,
  wanted: SourceSettings,
): ServiceRequest {
  const hasId = before !== undefined && before.id !== samlId;
  const body = {
    ...before?.settings,
    ...withoutVariables(wanted),
    ...secretsOf(wanted),
    ...(hasId ? { id: before.id } : {}),
  };
  return { ...apis[kind].save(before?.id), body };
}

/** Settings for a file: what is not set is left out. */
export function renderSource({ settings }: SourceState): SourceSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null && value !== ''));
}

function withoutVariables(wanted: SourceSettings): SourceSettings {
  const names = secrets.map(variableOf);
  return Object.fromEntries(Object.entries(wanted).filter(([key]) => !names.includes(key)));
}

function secretsOf(wanted: SourceSettings): SourceSettings {
  return Object.fromEntries(
    secrets.flatMap((secret) => {
      const variable = wanted[variableOf(secret)];
      if (typeof variable !== 'string') return [];
      const value = processEnvironment()[variable];
      if (value !== undefined && value !== '') return [[secret, value]];
      throw new Error(`${variableOf(secret)} names the environment variable ${variable}, which is not set`);
    }),
  );
}

function textOf(key: string, value: unknown): string {
  // The API has no lines around certificates, and one may stand for a list.
  if (key === 'idp_certificate')
    return [value]
      .flat()
      .join(', ')
      .replaceAll(/-----[A-Z ]+-----|[^\S ]/g, '');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

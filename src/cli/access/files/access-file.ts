/** Roles, users, directories, identity providers and imported groups as a YAML file that people review. */

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { renderYaml, yamlOfJson } from '../../../lib/yaml/index.ts';
import { parseYamlFile } from '../../plan-files.ts';
import type { AccessState } from './access-state.ts';
import { renderSource, SourceWire, sourceKinds } from './identity-sources.ts';

const Name = z.string().trim().min(1);

/** `environment:deploy_code:production`, or `environment:deploy_code` for all environments. */
const PermissionWire = z.string().transform((text, context) => {
  const [objectType = '', action = '', ...instance] = text.split(':');
  if (objectType === '' || action === '')
    context.addIssue(`'${text}' is not TYPE:ACTION or TYPE:ACTION:INSTANCE`);
  return { object_type: objectType, action, instance: instance.length === 0 ? '*' : instance.join(':') };
});

const FileWire = z.strictObject({
  roles: z
    .array(
      z.strictObject({
        name: Name,
        /** The name that the role had before. */
        formerly: Name.optional(),
        description: z.string().optional(),
        permissions: z.array(PermissionWire).optional(),
      }),
    )
    .default([]),
  users: z
    .array(
      z.strictObject({
        login: Name,
        name: z.string().optional(),
        email: z.string().optional(),
        roles: z.array(Name).optional(),
        revoked: z.boolean().optional(),
      }),
    )
    .default([]),
  directories: z.array(SourceWire).default([]),
  openid_providers: z.array(SourceWire).default([]),
  saml_providers: z.array(SourceWire).max(1).default([]),
  user_groups: z
    .array(
      z.strictObject({
        login: Name,
        /** The directory or provider, where there are several. */
        directory: Name.optional(),
        roles: z.array(Name).optional(),
      }),
    )
    .default([]),
});

export type AccessFile = z.infer<typeof FileWire>;

/** All files together. @throws Error naming the file and what is wrong with it */
export function readAccessFiles(files: readonly string[]): AccessFile {
  const read = files.map((file) => parseAccess(readFileSync(file === '-' ? 0 : file), file));
  return {
    roles: read.flatMap(({ roles }) => roles),
    users: read.flatMap(({ users }) => users),
    directories: read.flatMap(({ directories }) => directories),
    openid_providers: read.flatMap(({ openid_providers: providers }) => providers),
    saml_providers: read.flatMap(({ saml_providers: providers }) => providers),
    user_groups: read.flatMap(({ user_groups: groups }) => groups),
  };
}

/** @param name - of the file, for messages @throws as `readAccessFiles` */
export function parseAccess(content: Uint8Array, name: string): AccessFile {
  return parseYamlFile(FileWire, content, name);
}

/** What can be changed: not the roles and users that are always there, and not the users of directories. */
export function renderAccess({ groups, roles, sources, users }: AccessState): string {
  const nameOf = new Map(roles.map(({ display_name: name, id }) => [id, name]));
  const names = (ids: readonly number[]) => ids.map((id) => nameOf.get(id) ?? String(id)).sort();
  const file = {
    roles: roles
      .filter(({ isBuiltIn }) => !isBuiltIn)
      .map(({ description, display_name: name, permissions }) => ({
        name,
        ...(description === '' ? {} : { description }),
        permissions: permissions.map(permissionText).sort(),
      })),
    users: users
      .filter(({ is_remote: isRemote, is_superuser: isSuperuser }) => !isRemote && !isSuperuser)
      .map(({ display_name: name, email, is_revoked: isRevoked, login, role_ids: ids }) => ({
        login,
        ...(name === '' ? {} : { name }),
        ...(email === '' ? {} : { email }),
        roles: names(ids),
        ...(isRevoked ? { revoked: true } : {}),
      })),
    ...renderSources(sources),
    user_groups: groups.map(({ identity_provider_id: source, login, role_ids: ids }) => ({
      login,
      ...(sources.length > 1 ? { directory: sources.find(({ id }) => id === source)?.name ?? source } : {}),
      roles: names(ids),
    })),
  };
  return renderYaml(yamlOfJson(JSON.stringify(file)));
}

/** Kinds of which there is none are left out. */
function renderSources(sources: AccessState['sources']): object {
  return Object.fromEntries(
    Object.entries(sourceKinds).flatMap(([member, kind]) => {
      const ofKind = sources.filter((source) => source.kind === kind);
      return ofKind.length === 0 ? [] : [[member, ofKind.map(renderSource)]];
    }),
  );
}

export function permissionText({
  action,
  instance,
  object_type: type,
}: {
  readonly action: string;
  readonly instance: string;
  readonly object_type: string;
}): string {
  return instance === '*' ? `${type}:${action}` : `${type}:${action}:${instance}`;
}

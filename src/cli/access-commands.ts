/** Commands about who may do what: files, directories, identity providers, their groups, second factors. */

import type { CommandEntry } from './command.ts';

export const accessCommands: readonly CommandEntry[] = [
  {
    name: 'access export',
    summary: 'Print roles, users and imported groups as YAML, for review and for a repository',
    load: async () => (await import('./access/files/commands.ts')).accessExportCommand,
  },
  {
    name: 'access plan',
    summary: 'Show what files of roles, users and imported groups would change',
    load: async () => (await import('./access/files/commands.ts')).accessPlanCommand,
  },
  {
    name: 'access apply',
    summary: 'Change roles, users and imported groups to what files say',
    load: async () => (await import('./access/files/commands.ts')).accessApplyCommand,
  },
  {
    name: 'access directory set',
    summary: 'Connect an LDAP directory whose users may log in, or change how it is reached',
    load: async () => (await import('./access/directory-set.ts')).accessDirectorySetCommand,
  },
  {
    name: 'access directory show',
    summary: 'Show the directories whose users may log in, and their settings',
    load: async () => (await import('./access/directory-show.ts')).accessDirectoryShowCommand,
  },
  {
    name: 'access directory test',
    summary: 'Test the connection to a directory, its lookup user and its base DN',
    load: async () => (await import('./access/directory-test.ts')).accessDirectoryTestCommand,
  },
  {
    name: 'access directory delete',
    summary: 'Disconnect a directory for good, with the user groups that were imported from it',
    load: async () => (await import('./access/directory-delete.ts')).accessDirectoryDeleteCommand,
  },
  {
    name: 'access provider set',
    summary: 'Connect an OpenID provider by which people log in, or change how it is reached',
    load: async () => (await import('./access/provider-commands.ts')).accessProviderSetCommand,
  },
  {
    name: 'access provider show',
    summary: 'Show the identity providers by which people log in, and their settings',
    load: async () => (await import('./access/provider-commands.ts')).accessProviderShowCommand,
  },
  {
    name: 'access provider test',
    summary: 'Test whether an identity provider answers, and has keys',
    load: async () => (await import('./access/provider-commands.ts')).accessProviderTestCommand,
  },
  {
    name: 'access provider delete',
    summary: 'Disconnect an identity provider for good, with its users and user groups',
    load: async () => (await import('./access/provider-commands.ts')).accessProviderDeleteCommand,
  },
  {
    name: 'access group import',
    summary: 'Give roles to the members of a group of a directory or an identity provider',
    load: async () => (await import('./access/group-import.ts')).accessGroupImportCommand,
  },
  {
    name: 'access group list',
    summary: 'List imported groups of directories and identity providers, with their roles',
    load: async () => (await import('./access/group-list.ts')).accessGroupListCommand,
  },
  {
    name: 'access group roles',
    summary: 'Give roles to the members of an imported group, and take them back',
    load: async () => (await import('./access/group-roles.ts')).accessGroupRolesCommand,
  },
  {
    name: 'access group delete',
    summary: 'Take all roles from the members of an imported group, and forget the group',
    load: async () => (await import('./access/group-delete.ts')).accessGroupDeleteCommand,
  },
  {
    name: 'access second-factor',
    summary: 'Ask for one-time codes beside your password, or no longer',
    load: async () => (await import('./access/second-factor.ts')).accessSecondFactorCommand,
  },
  {
    name: 'user remove-second-factor',
    summary: 'Let a user who has lost the second factor log in with the password alone',
    load: async () => (await import('./user/remove-second-factor.ts')).userRemoveSecondFactorCommand,
  },
];

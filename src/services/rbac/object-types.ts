/** The permissions that there are, under Puppet Enterprise's names. A pure table. */

import { anyInstance, type Permission } from './permission.ts';

export interface ObjectType {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly actions: readonly ObjectAction[];
}

export interface ObjectAction {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  /** Whether it can be allowed for one object rather than for all. */
  readonly hasInstances: boolean;
}

export const objectTypes: readonly ObjectType[] = [
  type('environment', 'Puppet environment', 'Environments of the control repositories.', [
    one('deploy_code', 'Deploy code', 'Deploy code to an environment, and go back to an earlier version.'),
  ]),
  type('infrastructure', 'Infrastructure', 'Servers of the installation.', [
    all('edit', 'Edit compile servers', 'Change the groups whose members are compile servers.'),
  ]),
  type('node_groups', 'Node groups', 'Groups that nodes can be assigned to.', [
    all('view', 'View', 'See the groups, and how nodes are classified.'),
    all('modify_children', 'Create, edit, and delete child groups', 'Change groups, rules and pins.'),
  ]),
  type('nodes', 'Nodes', 'What PuppetDB knows of nodes.', [
    all('view_data', 'View node data from PuppetDB', 'Ask PuppetDB.'),
    all('edit_data', 'Edit node data from PuppetDB', 'Send commands; export, import, clean and delete.'),
  ]),
  type('user_roles', 'User roles', 'Sets of permissions that users have.', [
    all('create', 'Create', 'Create roles.'),
    all('edit', 'Edit', 'Change and delete roles.'),
    one('edit_members', 'Edit members', 'Change who has a role.'),
  ]),
  type('users', 'Users', 'Whoever can log in.', [
    all('create', 'Create', 'Create users.'),
    one('edit', 'Edit', 'Change and delete a user.'),
    one('reset_password', 'Reset password', 'Let a user have a new password or a token.'),
    one('disable', 'Revoke', "Revoke and reinstate a user; revoke a user's tokens."),
  ]),
];

/** Each action on each type, on all objects. */
export const everyPermission: readonly Permission[] = objectTypes.flatMap(({ actions, name }) =>
  actions.map((action) => ({ objectType: name, action: action.name, instance: anyInstance })),
);

export function findAction(objectType: string, action: string): ObjectAction | undefined {
  return objectTypes.find(({ name }) => name === objectType)?.actions.find(({ name }) => name === action);
}

function type(
  name: string,
  displayName: string,
  description: string,
  actions: readonly ObjectAction[],
): ObjectType {
  return { name, displayName, description, actions };
}

function one(name: string, displayName: string, description: string): ObjectAction {
  return { name, displayName, description, hasInstances: true };
}

function all(name: string, displayName: string, description: string): ObjectAction {
  return { name, displayName, description, hasInstances: false };
}

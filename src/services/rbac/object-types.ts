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

/**
 * What Puppet Enterprise's roles name. Permissions of services that do not run here have no effect yet, and are accepted so that the
 * roles of an existing installation can be taken over.
 */
export const objectTypes: readonly ObjectType[] = [
  type('autoscaler', 'Autoscaler', 'How many compile servers there should be.', [
    all('view', 'View', 'See the load of compile servers and how many are advised.'),
    all('edit', 'Edit', 'Change the limits and the target; pause and resume.'),
  ]),
  type('cert_requests', 'Certificate requests', 'Requests of nodes for a certificate.', [
    all('accept_reject', 'Accept and reject', 'Accept and reject certificate requests.'),
  ]),
  type('certificates', 'Certificates', 'Certificates of nodes.', [
    all(
      'sign_special',
      'Sign special requests',
      'Sign requests with alternative names or authorization extensions.',
    ),
    all('revoke', 'Revoke', 'Revoke, clean and delete certificates.'),
  ]),
  type('commands', 'Commands', 'Lines for a shell, and scripts that are sent along.', [
    all('run', 'Run commands', 'Run any command and any script on nodes, as the user of the agent.'),
  ]),
  type('configuration', 'Configuration', 'Settings of the console.', [
    all('view_edit', 'View and edit', 'View and edit settings of the console.'),
  ]),
  type('console_page', 'Console', 'The web console.', [all('view', 'View', 'View the console.')]),
  type('directory_service', 'Directory service', 'The connection to a directory.', [
    all('edit', 'View, edit, and test', 'View, edit, and test the settings of the directory.'),
  ]),
  type('environment', 'Puppet environment', 'Environments of the control repositories.', [
    one('deploy_code', 'Deploy code', 'Deploy code to an environment, and go back to an earlier version.'),
  ]),
  type('infrastructure', 'Infrastructure', 'Servers of the installation.', [
    all('view', 'View', 'See the servers and their state.'),
    all(
      'edit',
      'Edit infrastructure groups',
      'Add and remove servers; change PE Infrastructure, the groups below it, and the groups whose members are servers.',
    ),
  ]),
  type('inventory', 'Inventory', 'Nodes and devices without an agent.', [
    all('edit', 'Add and delete', 'Add and delete connections to nodes.'),
  ]),
  type('job_queue', 'Job queue', 'Jobs of the orchestrator that wait or run.', [
    all('view', 'View', 'View the queue of jobs.'),
  ]),
  type('node_groups', 'Node groups', 'Groups that nodes can be assigned to.', [
    one('view', 'View', 'See the groups, and how nodes are classified.'),
    one('modify_children', 'Create, edit, and delete child groups', 'Change groups, rules and pins.'),
    one('edit_child_rules', 'Edit child group rules', 'Change the rules of groups below a group.'),
    one(
      'edit_classification',
      'Edit classes, parameters, and variables',
      'Change what a group gives to its nodes.',
    ),
    one('edit_config_data', 'Edit configuration data', 'Change the configuration data of a group.'),
    one(
      'edit_params_and_vars',
      'Edit parameters and variables',
      'Change parameters and variables of a group.',
    ),
    one('set_environment', 'Set environment', 'Change the environment of a group.'),
  ]),
  type('nodes', 'Nodes', 'What PuppetDB knows of nodes.', [
    all('view_data', 'View node data from PuppetDB', 'Ask PuppetDB.'),
    all('edit_data', 'Edit node data from PuppetDB', 'Send commands; export, import, clean and delete.'),
  ]),
  type('orchestrator', 'Job orchestrator', 'Jobs and their results.', [
    all('view', 'Start, stop and view jobs', 'Start, stop and view jobs.'),
  ]),
  type('plans', 'Plans', 'Plans that can be run.', [one('run', 'Run plans', 'Run a plan on nodes.')]),
  type('puppet_agent', 'Puppet agent', 'The agent on nodes.', [
    all('run', 'Run Puppet on agent nodes', 'Run Puppet on nodes from the console or by the orchestrator.'),
  ]),
  type('puppetserver', 'Puppet Server', 'The compilers of catalogs.', [
    all('compile_catalogs', 'Compile catalogs for remote nodes', 'Compile a catalog of any node.'),
  ]),
  type('scheduled_jobs', 'Scheduled jobs', 'Jobs that start at a time.', [
    all('delete', "Delete another user's scheduled jobs", 'Delete jobs that another user has scheduled.'),
  ]),
  type('tasks', 'Tasks', 'Tasks that can be run.', [
    one('run', 'Run tasks', 'Run a task on nodes.'),
    one('run_with_constraints', 'Run tasks of a task target', 'Run its tasks on its nodes.'),
  ]),
  type('tokens', 'Tokens', 'What programs log in with.', [
    all('override_lifetime', 'Override default expiry', 'Create tokens that last as long as they ask for.'),
  ]),
  type('user_groups', 'User groups', 'Groups of a directory.', [
    all('import', 'Import', 'Import groups from a directory.'),
    all('delete', 'Delete', 'Delete imported groups.'),
  ]),
  type('user_roles', 'User roles', 'Sets of permissions that users have.', [
    all('create', 'Create', 'Create roles.'),
    all('edit', 'Edit', 'Change and delete roles.'),
    one('edit_members', 'Edit members', 'Change who has a role.'),
  ]),
  type('users', 'Users', 'People and programs that can log in.', [
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

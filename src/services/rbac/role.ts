/** Sets of permissions, which users have by name. */

import { everyPermission } from './object-types.ts';
import { anyInstance, type Permission } from './permission.ts';

export interface Role {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly Permission[];
}

export const administrators: Role = {
  id: 1,
  name: 'Administrators',
  description: 'May do everything.',
  permissions: everyPermission,
};

/** Those that are always there, with the numbers and names that they have in Puppet Enterprise. They can't be changed. */
export const defaultRoles: readonly Role[] = [
  administrators,
  {
    id: 2,
    name: 'Operators',
    description: 'Deploy code, change groups of nodes, run Puppet, tasks and plans, see what nodes send.',
    permissions: [
      everywhere('console_page', 'view'),
      everywhere('environment', 'deploy_code'),
      everywhere('node_groups', 'view'),
      everywhere('node_groups', 'modify_children'),
      everywhere('nodes', 'view_data'),
      everywhere('orchestrator', 'view'),
      everywhere('job_queue', 'view'),
      everywhere('puppet_agent', 'run'),
      everywhere('tasks', 'run'),
      everywhere('plans', 'run'),
      everywhere('scheduled_jobs', 'delete'),
    ],
  },
  {
    id: 3,
    name: 'Viewers',
    description: 'See groups of nodes, jobs, and what nodes send.',
    permissions: [
      everywhere('console_page', 'view'),
      everywhere('node_groups', 'view'),
      everywhere('nodes', 'view_data'),
      everywhere('orchestrator', 'view'),
    ],
  },
  {
    id: 4,
    name: 'Code Deployers',
    description: 'Deploy code.',
    permissions: [everywhere('environment', 'deploy_code')],
  },
];

/** Roles of an operator's own get numbers from here on. */
export const firstOwnRoleId = 5;

export function isDefaultRole(id: number): boolean {
  return id < firstOwnRoleId;
}

function everywhere(objectType: string, action: string): Permission {
  return { objectType, action, instance: anyInstance };
}

/** What pages can follow, and who may. */

import type { UserIdentity, WantedPermission } from '../../../platform/http/index.ts';

const viewNodes: WantedPermission = { objectType: 'nodes', action: 'view_data' };
const viewJobs: WantedPermission = { objectType: 'orchestrator', action: 'view' };
const viewGroups: WantedPermission = { objectType: 'node_groups', action: 'view' };
const deployCode: WantedPermission = { objectType: 'environment', action: 'deploy_code' };
const acceptRequests: WantedPermission = { objectType: 'cert_requests', action: 'accept_reject' };
const editServers: WantedPermission = { objectType: 'infrastructure', action: 'edit' };
const viewScaling: WantedPermission = { objectType: 'autoscaler', action: 'view' };
const editScaling: WantedPermission = { objectType: 'autoscaler', action: 'edit' };
const editUsers: WantedPermission = { objectType: 'users', action: 'edit' };

/** By the part of a topic before the colon: one of these permissions is enough. */
const permissions: Readonly<Record<string, readonly WantedPermission[]>> = {
  /** How many nodes have which status. */
  fleet: [viewNodes],
  /** That some nodes are not any more as a list shows them. */
  nodes: [viewNodes],
  /** `node:CERTNAME` */
  node: [viewNodes],
  jobs: [viewJobs],
  /** `job:ID` */
  job: [viewJobs],
  'plan-jobs': [viewJobs],
  /** `plan-job:ID` */
  'plan-job': [viewJobs],
  schedules: [viewJobs],
  groups: [viewGroups],
  /** The record of changes: the list itself has what a user may see. */
  activity: [viewGroups, viewJobs, deployCode, acceptRequests, editServers, editUsers],
  certificates: [acceptRequests, { objectType: 'certificates', action: 'revoke' }],
  code: [deployCode],
  scaling: [viewScaling, editScaling],
  servers: [{ objectType: 'infrastructure', action: 'view' }, editServers],
};

export const mostTopics = 50;
const mostCharacters = 300;

/** @returns `undefined` for a topic that does not exist */
export function permissionsFor(topic: string): readonly WantedPermission[] | undefined {
  const [kind = ''] = topic.split(':');
  return topic.length <= mostCharacters && Object.hasOwn(permissions, kind) ? permissions[kind] : undefined;
}

export function mayFollow(user: UserIdentity, topic: string): boolean {
  return permissionsFor(topic)?.some((permission) => user.permits(permission)) === true;
}

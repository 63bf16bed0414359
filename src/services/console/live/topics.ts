/** What pages can follow, and who may. */

import type { WantedPermission } from '../../../platform/http/index.ts';

const viewNodes: WantedPermission = { objectType: 'nodes', action: 'view_data' };
const viewJobs: WantedPermission = { objectType: 'orchestrator', action: 'view' };

/** By the part of a topic before the colon. */
const permissions: Readonly<Record<string, WantedPermission>> = {
  /** How many nodes have which status. */
  fleet: viewNodes,
  /** That some nodes are not any more as a list shows them. */
  nodes: viewNodes,
  /** `node:CERTNAME` */
  node: viewNodes,
  jobs: viewJobs,
  /** `job:ID` */
  job: viewJobs,
  'plan-jobs': viewJobs,
  /** `plan-job:ID` */
  'plan-job': viewJobs,
  schedules: viewJobs,
  groups: { objectType: 'node_groups', action: 'view' },
};

export const mostTopics = 50;
const mostCharacters = 300;

/** @returns `undefined` for a topic that does not exist */
export function permissionFor(topic: string): WantedPermission | undefined {
  const [kind = ''] = topic.split(':');
  return topic.length <= mostCharacters && Object.hasOwn(permissions, kind) ? permissions[kind] : undefined;
}

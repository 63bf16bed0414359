/** Topics of services that announce no changes, polled for the pages of the console. */

import type { Autoscaler } from '../../services/autoscaler/index.ts';
import type { CertificateAuthority } from '../../services/ca/index.ts';
import type { WatchedTopic } from '../../services/console/index.ts';
import type { FileSyncStorage } from '../../services/filesync/index.ts';
import type { Activity } from '../access/activity.ts';
import type { Infrastructure } from '../infrastructure/infrastructure.ts';
import type { CodeManagerPort } from './code-manager-port.ts';

export interface WatchedServices {
  readonly activity: Activity;
  readonly autoscaler: Autoscaler;
  readonly authority: { readonly ca: CertificateAuthority };
  readonly code: { readonly storage: FileSyncStorage };
  readonly codeManager: CodeManagerPort | undefined;
  readonly infrastructure: Infrastructure;
}

export function watchedTopics({
  activity,
  authority: { ca },
  autoscaler,
  code: { storage },
  codeManager,
  infrastructure,
}: WatchedServices): readonly WatchedTopic[] {
  return [
    { topic: 'activity', read: async () => String(await activity.store.lastId()) },
    {
      topic: 'certificates',
      read: async () =>
        [...(await ca.encodedStatuses({ state: 'requested' })), `${ca.revokedCount}`].join('\n'),
    },
    {
      topic: 'code',
      read: () =>
        JSON.stringify([
          codeManager?.deploys().map(({ id, status }) => [id, status]),
          storage.latestCommits(),
          storage.clients().map(({ certname, failures, serving }) => [certname, serving, failures]),
        ]),
    },
    { topic: 'scaling', read: () => scalingText(autoscaler) },
    { topic: 'servers', read: () => JSON.stringify(infrastructure.servers()) },
  ];
}

/** What the page of scaling shows, without what grows with the time alone. */
function scalingText(autoscaler: Autoscaler): string {
  const { advised, count, demand, holds, isComplete, nodesWaiting, servers, settings, wanted } =
    autoscaler.assess();
  const kinds = holds.map(({ kind }) => kind);
  const uses = servers.map(({ certname, phase, used }) => [certname, phase, Math.round(100 * used)]);
  const need = Math.round(10 * demand.need);
  return JSON.stringify([settings, isComplete, count, wanted, advised, kinds, uses, need, nodesWaiting]);
}

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
    { topic: 'scaling', read: () => JSON.stringify(autoscaler.assess()) },
    { topic: 'servers', read: () => JSON.stringify(infrastructure.servers()) },
  ];
}

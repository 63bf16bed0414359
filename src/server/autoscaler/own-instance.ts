/** A compile server on an instance of AWS: what the group wants of it, and what CloudWatch is told. */

import { performance } from 'node:perf_hooks';
import { ServiceError } from '../../lib/service-error.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import type { RootLogger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import {
  CapacityPublisher,
  calledFromWarmPool,
  InstanceWatch,
  type WorkMeter,
} from '../../services/autoscaler/index.ts';
import { periodically } from '../periodic.ts';
import { openCloudWatch, openGroups, ownMetadata } from './aws.ts';

const publishIntervalMs = 60_000;
/** The primary answers when the server has drained. */
const leaveTimeoutMs = 180_000;

export interface OwnInstanceOptions {
  readonly settings: Settings;
  readonly log: RootLogger;
  readonly client: Pick<HttpClient, 'send'>;
  readonly primaryUrl: string;
  readonly work: WorkMeter;
}

export interface OwnInstance {
  /** Why this server should get no more agents. */
  readonly obstacle: string | undefined;
  /** The primary says what is used of all servers. */
  noteCapacity(percent: number): void;
  /** @param isServing - whether agents are answered */
  start(isServing: () => boolean): void;
  stop(hasLeft: boolean): Promise<void>;
}

/** Before a server joins: in a warm pool it has to wait. Resolves at once elsewhere. */
export async function untilCalled(
  { identity }: Settings,
  log: RootLogger,
  signal: AbortSignal,
): Promise<void> {
  if (isOnAws(identity))
    await calledFromWarmPool(ownMetadata(), log.child({ service: 'autoscaler' }), signal);
}

/** @returns `undefined` where `identity` names no instance of AWS */
export function ownInstance(options: OwnInstanceOptions): OwnInstance | undefined {
  const { client, log: root, primaryUrl, settings, work } = options;
  if (!isOnAws(settings.identity)) return undefined;
  const log = root.child({ service: 'autoscaler' });
  const metadata = ownMetadata();
  const groups = openGroups(metadata);
  const cloudWatch = openCloudWatch(metadata);
  let isServing = () => false;
  const watch = new InstanceWatch({
    metadata,
    groups,
    launchHook: settings.autoscalerLaunchHook,
    terminateHook: settings.autoscalerTerminateHook,
    isServing: () => isServing(),
    leave: (signal) => leave(client, primaryUrl, signal),
    log,
  });
  const publisher = new CapacityPublisher({
    watch: cloudWatch,
    group: () => watch.group(),
    ownUsed: () => work.used(),
    now: () => new Date(),
    nowMs: () => performance.now(),
  });
  const publishing = periodically(
    () => publisher.publish(),
    publishIntervalMs,
    log,
    'tell CloudWatch what is used',
  );
  return {
    get obstacle() {
      return watch.obstacle;
    },
    noteCapacity: (percent) => publisher.note(percent),
    start(answers) {
      isServing = answers;
      watch.start();
      void publishing.run();
    },
    async stop(hasLeft) {
      await publishing.stop();
      await watch.stop(hasLeft);
      await Promise.all([groups.close(), cloudWatch.close()]);
    },
  };
}

function isOnAws(identity: Settings['identity']): boolean {
  return identity === 'aws' || identity === 'aws-document';
}

async function leave(
  client: Pick<HttpClient, 'send'>,
  primaryUrl: string,
  signal: AbortSignal,
): Promise<void> {
  const url = `${primaryUrl}/infrastructure/v1/leave`;
  const { body, status } = await client.send({ method: 'POST', url, signal, timeoutMs: leaveTimeoutMs });
  if (status === 200) return;
  throw new ServiceError(
    'unavailable',
    `The primary answers with status ${status}: ${body.toString('utf8').slice(0, 300)}`,
  );
}

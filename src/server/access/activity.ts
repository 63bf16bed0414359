/** The record of who changed what, and how long it is kept. */

import { ServiceError } from '../../lib/service-error.ts';
import type { Change } from '../../platform/changes/index.ts';
import {
  ActivityStore,
  ChangeStream,
  fileSink,
  parseSyslogAddress,
  syslogSink,
} from '../../services/activity/index.ts';
import type { Foundation } from '../foundation.ts';
import { type Periodic, periodically } from '../periodic.ts';

const streamMs = 1000;
const dayMs = 24 * 60 * 60 * 1000;

export interface Activity {
  readonly store: ActivityStore;
  /** For changes whose effect is not in the database. Never rejects: a failure to record does not undo the change. */
  readonly record: (change: Change) => Promise<void>;
}

export function openActivity({ database, log }: Foundation): Activity {
  const store = new ActivityStore(database);
  const logger = log.child({ service: 'activity' });
  return {
    store,
    record: (change) =>
      store.record(change).catch((err: unknown) => {
        const { author, events, object } = change;
        logger.error({ err, object, events, by: author.name }, 'could not record a change');
      }),
  };
}

/** Removes changes that are older than the setting says, once a day. */
export function pruneActivity({ store }: Activity, { log, settings }: Foundation): Periodic | undefined {
  const { activityRetentionSeconds: seconds } = settings;
  if (seconds === 0) return undefined;
  const logger = log.child({ service: 'activity' });
  const prune = async () => {
    const before = new Date(Date.now() - seconds * 1000);
    const removed = await store.removeBefore(before);
    if (removed > 0)
      logger.info({ removed, before: before.toISOString() }, 'removed old changes from the record');
  };
  return periodically(prune, dayMs, logger, 'remove old changes from the record');
}

/**
 * Sends changes on to where the settings say, as they happen.
 *
 * @throws ServiceError `conflict` naming the setting that is not an address
 */
export function streamActivity({ store }: Activity, { log, settings }: Foundation): readonly Periodic[] {
  const { activityLog: path, activitySyslog: address, certname } = settings;
  const syslog = address === '' ? undefined : parseSyslogAddress(address);
  if (address !== '' && syslog === undefined)
    throw new ServiceError(
      'conflict',
      `activity_syslog = ${address} is no address: write tcp://HOST:PORT or udp://HOST:PORT`,
    );
  const sinks = [
    ...(path === '' ? [] : [fileSink(path)]),
    ...(syslog === undefined ? [] : [syslogSink(syslog, certname)]),
  ];
  const logger = log.child({ service: 'activity' });
  return sinks.map((sink) => {
    const stream = new ChangeStream(store, sink, logger);
    const sending = periodically(() => stream.sendNew(), streamMs, logger, 'send changes on');
    return {
      run: () => sending.run(),
      async stop() {
        // What was changed last is sent, too.
        await sending.run();
        await sending.stop();
        stream.close();
      },
    };
  });
}

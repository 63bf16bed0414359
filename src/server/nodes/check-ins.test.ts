import { expect, onTestFinished, test } from 'vitest';
import type { Json } from '../../lib/json.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { migrate, openDirectDatabase } from '../../platform/storage/index.ts';
import { classifierMigrations } from '../../services/classifier/index.ts';
import { openCheckIns } from './check-ins.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** With a check-in of today, and one that is ten days old. */
async function start(
  settings: { readonly storesCheckIns: boolean; readonly checkInRetentionSeconds: number },
  said: Readonly<Record<string, Json>> = {},
) {
  const database = await openDirectDatabase({ kind: 'sqlite', path: ':memory:' }, 'writer');
  await migrate(database, classifierMigrations);
  const checkIns = openCheckIns({ database, log: silentLogger, settings }, (parameter) => said[parameter]);
  onTestFinished(async () => {
    await checkIns.stop();
    await database.close();
  });
  const checkIn = { certname: 'a.test', transactionUuid: undefined, explanation: '{}' };
  await checkIns.store.add(
    [10, 0].map((days) => ({ ...checkIn, time: new Date(Date.now() - days * dayMs) })),
  );
  return checkIns;
}

test.each([
  ['the setting', true, {}, true],
  ['neither', false, {}, false],
  ['a group', false, { classifier_node_check_in_storage: true }, true],
  ['a group, as text', false, { classifier_node_check_in_storage: 'true' }, true],
  ['a group that says no', false, { classifier_node_check_in_storage: false }, false],
])('the storage is switched on by %s: %s %j', async (_by, storesCheckIns, said, expected) => {
  const { isStoring } = await start({ storesCheckIns, checkInRetentionSeconds: 0 }, said);

  expect(isStoring()).toBe(expected);
});

test.each([
  ['by the setting', 7 * 24 * 3600, {}, 1],
  ['not where the setting is 0', 0, {}, 2],
  ['by a group first', 0, { classifier_prune_threshold: 7 }, 1],
  ['not where a group says 0', 7 * 24 * 3600, { classifier_prune_threshold: 0 }, 2],
])('old check-ins are removed %s', async (_how, checkInRetentionSeconds, said, left) => {
  const { pruning, store } = await start({ storesCheckIns: true, checkInRetentionSeconds }, said);

  await pruning.run();

  expect(await store.of('a.test')).toHaveLength(left);
});

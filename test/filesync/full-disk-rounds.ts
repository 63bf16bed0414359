/** What has to hold when the disk below the code of a server is full. */

import { until } from '../e2e/support/until.ts';
import type { SmallDisk } from './full-disk.ts';
import type { WatchedInstallation } from './watched-installation.ts';

/**
 * Fills the disk, deploys, and frees it again.
 *
 * @param version - to stage; the next four numbers are used as well
 * @returns what was seen, for people
 * @throws Error when a server does not serve what it should
 */
export async function fillAndFree(
  watched: WatchedInstallation,
  disk: SmallDisk,
  version: number,
  name: 'primary' | 'compile server',
): Promise<string> {
  watched.stage(version);
  await expectCommitted(watched);
  await watched.servesEverywhere(version);
  await disk.fill();
  watched.stage(version + 1);
  const { status, text } = await watched.commit();
  const served = await Promise.all(watched.urls.map((url) => watched.versionAt(url)));
  if (name === 'primary') {
    if (status === 200 && !text.includes('"status":"error"'))
      throw new Error(`committed on a full disk: ${text}`);
    if (!/no space left/i.test(text)) throw new Error(`the answer does not say what is wrong: ${text}`);
    if (served.some((found) => found !== String(version)))
      throw new Error(`${served.join(' and ')} are served`);
  } else await staysAt(watched, version);
  disk.free();
  watched.stage(version + 2);
  await expectCommitted(watched);
  await watched.servesEverywhere(version + 2);
  return `disk of the ${name} full: ${name === 'primary' ? `commit answered ${status}` : 'the version before was served'}, healed`;
}

async function expectCommitted(watched: WatchedInstallation): Promise<void> {
  const { status, text } = await watched.commit();
  if (status !== 200) throw new Error(`commit: status ${status} ${text}`);
}

/** The compile server has tried and failed, says so, and serves what it did. */
async function staysAt(watched: WatchedInstallation, version: number): Promise<void> {
  const [, url = ''] = watched.urls;
  await until('the compile server says that its disk is full', async () => {
    const answer = await watched.installation.operator().send({
      method: 'GET',
      url: `${url}/status/v1/services/file-sync-client-service?level=debug`,
    });
    return /no space left/i.test(answer.body.toString('utf8'));
  });
  const found = await watched.versionAt(url);
  if (found !== String(version)) throw new Error(`the compile server serves ${found}, not ${version}`);
}

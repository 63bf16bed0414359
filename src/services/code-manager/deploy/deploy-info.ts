/** `.r10k-deploy.json`: what the last deploy of an environment was, for scripts that read it. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../../../lib/atomic-file.ts';
import type { ModuleOutcome } from '../modules/module-context.ts';

export interface DeployInfo {
  readonly name: string;
  readonly signature: string;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly isSuccess: boolean;
  readonly modules: readonly ModuleOutcome[];
}

const fileName = '.r10k-deploy.json';

/**
 * Writes the file as r10k does. A deploy that brought nothing new leaves the file as it is: its times are those of the
 * deploy that made the environment what it is, and no server has to take a new version for them.
 */
export async function writeDeployInfo(directory: string, info: DeployInfo): Promise<void> {
  const path = join(directory, fileName);
  const before = await readDeployInfo(directory);
  const content = { name: info.name, signature: info.signature };
  const result = { deploy_success: info.isSuccess, module_deploys: info.modules };
  if (before !== undefined && isSame(before, { ...content, ...result })) return;
  const text = JSON.stringify(
    {
      ...content,
      started_at: renderTime(info.startedAt),
      finished_at: renderTime(info.finishedAt),
      ...result,
    },
    undefined,
    2,
  );
  await writeFileAtomically(path, `${text.replaceAll(/: \[\]/g, ': [\n\n  ]')}\n`);
}

/** What the last deploy left; `undefined` when it is not there or not JSON. */
export async function readDeployInfo(
  directory: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(directory, fileName), 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isSame(before: Readonly<Record<string, unknown>>, now: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(now).every(([key, value]) => JSON.stringify(before[key]) === JSON.stringify(value));
}

/** As Ruby prints a time. */
function renderTime(time: Date): string {
  return `${time
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '')} +0000`;
}

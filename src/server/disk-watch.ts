/** Whether the disks that this server writes to still take what is written. */

import { open, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from '../lib/if-there.ts';
import type { Logger } from '../platform/log/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import type { Alert, StatusProvider } from '../services/status/index.ts';
import { type Periodic, periodically } from './periodic.ts';

/** About what a large report and the log of the database need. */
const probe = Buffer.alloc(2 ** 20, 1);
const probeName = '.disk-check';
const checkIntervalMs = 5000;
/**
 * Kept on the disk of the state, and given up when that is full: room for what agents send until a balancer has left this server.
 * A number of probes.
 */
const reserveLength = 16;
const reserveBytes = reserveLength * probe.length;
const reserveName = '.disk-reserve';

export interface DiskWatchOptions {
  /** Where everything is lost that cannot be written: no failure to write there is expected. */
  readonly directory: string;
  /** Others, which need not be there nor be writable; only full disks count. */
  readonly others: readonly string[];
  readonly log: Logger;
}

/**
 * Writes a file on each file system and removes it. Free space alone does not tell: quotas, inodes and blocks that are reserved for
 * root differ. The file is gone before the system brings it to the disk.
 */
export class DiskWatch {
  private readonly options: DiskWatchOptions;
  private readonly checks: Periodic;
  private problems: readonly string[] = [];
  /** The reserve is given up: the disk counts as full until there is room for it again. */
  private hasReleased = false;
  private makingRoom: Promise<void> | undefined;

  constructor(options: DiskWatchOptions) {
    this.options = options;
    this.checks = periodically(() => this.check(), checkIntervalMs, options.log, 'check the disks');
  }

  /** Of the last check: what cannot be written and why. */
  get alerts(): readonly Alert[] {
    return this.problems.map((message) => ({ severity: 'error', message }));
  }

  async check(): Promise<void> {
    const { directory, log } = this.options;
    const found: string[] = [];
    for (const each of await this.directories()) {
      const error = each === directory ? await this.stateError() : await writeError(each);
      if (error === undefined || (each !== directory && !isFull(error))) continue;
      found.push(`Nothing can be written to ${each}: ${reasonOf(error)}`);
    }
    const known = this.problems;
    this.problems = found;
    for (const message of found)
      if (!known.includes(message)) log.error({ problem: message }, 'a disk takes no data');
    if (known.length > 0 && found.length === 0) log.info({ problems: known }, 'the disks take data again');
  }

  /**
   * For a write that failed: gives up the reserve when the disk of the state is full, and lets the status say so at once.
   *
   * @returns whether it is worth trying again
   */
  async makeRoom(): Promise<boolean> {
    // One check for all writes that fail meanwhile.
    this.makingRoom ??= this.checks.run().finally(() => {
      this.makingRoom = undefined;
    });
    await this.makingRoom;
    return this.hasReleased;
  }

  /** For each registry of a port. */
  status(version: string): StatusProvider {
    return {
      names: ['disk-service'],
      version,
      read: () => ({ state: this.problems.length === 0 ? 'running' : 'error', alerts: this.alerts }),
    };
  }

  async stop(): Promise<void> {
    await this.checks.stop();
  }

  /** Why nothing can be written to the directory of the state; keeps the reserve while there is room for it. */
  private async stateError(): Promise<NodeJS.ErrnoException | undefined> {
    const { directory } = this.options;
    const path = join(directory, reserveName);
    const error = await writeError(directory);
    if (error !== undefined && isFull(error)) {
      const isThere = (await ifThere(stat(path))) !== undefined;
      if (isThere) await rm(path, { force: true });
      this.hasReleased ||= isThere;
    }
    if (error !== undefined) return error;
    if ((await ifThere(stat(path))) !== undefined) return undefined;
    const { bavail, bsize } = await statfs(directory);
    if (bavail * bsize < 2 * reserveBytes) return this.hasReleased ? noRoom() : undefined;
    await writeReserve(path);
    this.hasReleased = false;
    return undefined;
  }

  /** One for each file system. */
  private async directories(): Promise<readonly string[]> {
    const { directory, others } = this.options;
    const byDevice = new Map<number, string>();
    for (const each of [directory, ...others]) {
      const found = await ifThere(stat(each));
      if (found !== undefined && !byDevice.has(found.dev)) byDevice.set(found.dev, each);
    }
    return Array.from(byDevice.values());
  }
}

export function watchDisks(settings: Settings, log: Logger): DiskWatch {
  const { bucketDir, caDir, reportDir, stateDir } = settings;
  return new DiskWatch({ directory: stateDir, others: [caDir, bucketDir, reportDir], log });
}

async function writeError(directory: string): Promise<NodeJS.ErrnoException | undefined> {
  const path = join(directory, probeName);
  try {
    await writeFile(path, probe, { mode: 0o600 });
    return undefined;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}

/** In pieces: a buffer of the whole length would stay in memory. */
async function writeReserve(path: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    for (let written = 0; written < reserveLength; written++) await file.appendFile(probe);
  } finally {
    await file.close();
  }
}

function noRoom(): NodeJS.ErrnoException {
  const message = `ENOSPC: less than ${(2 * reserveBytes) / 2 ** 20} MiB are left on the device`;
  return Object.assign(new Error(message), { code: 'ENOSPC' });
}

function isFull({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EIO';
}

/** As the system says it: `no space left on device`. */
function reasonOf({ message }: NodeJS.ErrnoException): string {
  return /^[A-Z0-9]+: (.*?)(?:, \w+.*)?$/.exec(message)?.[1] ?? message;
}

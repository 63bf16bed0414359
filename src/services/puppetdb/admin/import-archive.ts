/** Reads an archive of PuppetDB's and carries out the commands in it. */

import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { ServiceError } from '../../../lib/service-error.ts';
import type { SentCommand } from '../commands/submission.ts';
import { archiveRoot, metadataFile } from './archive-layout.ts';

export interface ImportOptions {
  /** Resolves when it is durable. */
  readonly carryOut: (command: SentCommand) => Promise<unknown>;
  readonly signal: AbortSignal;
}

/** As for commands that are sent. */
const maximumEntryBytes = 128 * 1024 * 1024;
/** Commands at a time, as long as they are small. */
const commandsAtOnce = 16;
const bytesAtOnce = 32 * 1024 * 1024;

const entryName = new RegExp(
  `^${archiveRoot}/(?:(facts)/(.+)\\.json|(catalogs|reports|configure_expiration|catalog_inputs)/(.+)-[0-9a-fA-F]{40}\\.json)$`,
);

const commandNames: Readonly<Record<string, string>> = {
  facts: 'replace_facts',
  catalogs: 'replace_catalog',
  reports: 'store_report',
  configure_expiration: 'configure_expiration',
  catalog_inputs: 'replace_catalog_inputs',
};

/**
 * Reads as fast as commands are carried out. May be run again after it was interrupted: what is there is kept.
 *
 * @param archive - tar, gzipped
 * @returns how many commands there were
 * @throws ServiceError `bad-request` when it is no such archive
 */
export async function importArchive(archive: Readable, options: ImportOptions): Promise<number> {
  const tar = extract();
  const reading = pipeline(archive, createGunzip(), tar, { signal: options.signal });
  try {
    const [, count] = await Promise.all([reading, carryOutEntries(tar, options)]);
    return count;
  } catch (error) {
    tar.destroy();
    await reading.catch(() => undefined);
    if (isBrokenArchive(error)) {
      throw new ServiceError('bad-request', `The archive cannot be read: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

async function carryOutEntries(tar: ReturnType<typeof extract>, options: ImportOptions): Promise<number> {
  const running = new RunningCommands(options);
  let versions: Readonly<Record<string, number>> | undefined;
  for await (const entry of tar) {
    const { name, type, size } = entry.header;
    const match = entryName.exec(name);
    if (type !== 'file' || (match === null && name !== `${archiveRoot}/${metadataFile}`)) {
      entry.resume();
      continue;
    }
    if (size > maximumEntryBytes) {
      throw new ServiceError('too-large', `${name} in the archive is larger than ${maximumEntryBytes} bytes`);
    }
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    const payload = Buffer.concat(chunks);
    if (match === null) {
      versions = commandVersions(payload);
      continue;
    }
    if (versions === undefined) throw missingMetadata();
    const [, factsKind, factsNode, otherKind, otherNode] = match;
    const command = commandNames[factsKind ?? otherKind ?? ''] ?? '';
    const version = versions[command] ?? 0;
    await running.add({ command, version, certname: factsNode ?? otherNode ?? '', payload });
  }
  if (versions === undefined) throw missingMetadata();
  await running.finished();
  return running.count;
}

/** Bounds what is in memory; the first failure ends it all. */
class RunningCommands {
  private readonly options: ImportOptions;
  private readonly running = new Set<Promise<void>>();
  private bytes = 0;
  private failure: Error | undefined;
  count = 0;

  constructor(options: ImportOptions) {
    this.options = options;
  }

  async add(command: SentCommand): Promise<void> {
    const bytes = command.payload.length;
    while (this.running.size >= commandsAtOnce || (this.bytes > 0 && this.bytes + bytes > bytesAtOnce)) {
      await Promise.race(this.running);
    }
    if (this.failure !== undefined) throw this.failure;
    this.bytes += bytes;
    this.count++;
    const run = this.run(command).finally(() => {
      this.bytes -= bytes;
      this.running.delete(run);
    });
    this.running.add(run);
  }

  private async run(command: SentCommand): Promise<void> {
    try {
      await this.options.carryOut(command);
    } catch (error) {
      this.failure ??= error instanceof Error ? error : new Error(String(error));
    }
  }

  async finished(): Promise<void> {
    await Promise.all(this.running);
    if (this.failure !== undefined) throw this.failure;
  }
}

function commandVersions(metadata: Buffer): Readonly<Record<string, number>> {
  const { command_versions: versions }: { readonly command_versions?: unknown } = Object(
    JSON.parse(metadata.toString('utf8')),
  );
  if (typeof versions !== 'object' || versions === null) throw missingMetadata();
  return versions as Readonly<Record<string, number>>;
}

function missingMetadata(): ServiceError {
  const path = `${archiveRoot}/${metadataFile}`;
  return new ServiceError('bad-request', `Unable to find export metadata file '${path}' in archive`);
}

/** What zlib and the reader of tar files say of bytes that are not theirs. */
function isBrokenArchive(error: unknown): error is Error {
  if (!(error instanceof Error) || error instanceof ServiceError) return false;
  const code = 'code' in error ? String(error.code) : '';
  return code.startsWith('Z_') || error instanceof SyntaxError || /tar|end of data/i.test(error.message);
}

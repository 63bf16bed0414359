/** Metadata of one file. */

import type { BigIntStats } from 'node:fs';
import { RequestFailed } from '../../platform/indirection/index.ts';
import type { Boundary } from './boundary.ts';
import type { Checksums, ChecksumType } from './checksums.ts';
import { destinationOf, type Examined, examine } from './examine.ts';
import type { MetadataOptions } from './request-options.ts';
import { rubyTime } from './ruby-text.ts';
import type { MetadataWire } from './wire.ts';

export interface MetadataSubject {
  /** As users know it. */
  readonly logicalPath: string;
  readonly relativePath: string | null;
  readonly examined: Examined;
  /** When the directory that was asked for changed: directories below it carry its time, not their own. */
  readonly baseChangedMs: number;
  readonly boundary: Boundary;
}

/** Owner and group of the server's own process, which stand in for a file's where they do not matter. */
export interface ServerOwner {
  readonly uid: number;
  readonly gid: number;
}

export class MetadataCollector {
  private readonly checksums: Checksums;
  private readonly owner: ServerOwner;

  constructor(checksums: Checksums, owner: ServerOwner) {
    this.checksums = checksums;
    this.owner = owner;
  }

  /** @throws RequestFailed for devices, which no agent could make from metadata */
  async collect(subject: MetadataSubject, options: MetadataOptions): Promise<MetadataWire> {
    const { stat } = subject.examined;
    const type = typeOf(stat);
    return {
      path: subject.logicalPath,
      relative_path: subject.relativePath,
      links: options.links,
      ...this.permissions(stat, options),
      checksum: await this.checksum(subject, type, options.checksumType),
      type,
      destination: type === 'link' ? await destinationOf(subject.examined) : null,
    };
  }

  private permissions(stat: BigIntStats, { usesSourcePermissions }: MetadataOptions) {
    return usesSourcePermissions
      ? { owner: Number(stat.uid), group: Number(stat.gid), mode: Number(stat.mode) & 0o7777 }
      : { owner: this.owner.uid, group: this.owner.gid, mode: 0o644 };
  }

  private async checksum(subject: MetadataSubject, type: MetadataWire['type'], wanted: ChecksumType) {
    switch (type) {
      case 'file':
        return checksum(wanted, await this.checksums.of(subject.examined, wanted));
      case 'directory':
        return checksum('ctime', rubyTime(subject.baseChangedMs));
      case 'link':
        return await this.checksumOfTarget(subject, wanted);
      case 'fifo':
      case 'socket':
        return checksum('none', '');
    }
  }

  /** A link's checksum is that of the file it leads to, when there is one. */
  private async checksumOfTarget({ examined, boundary }: MetadataSubject, wanted: ChecksumType) {
    const target = await examine(examined.real, 'follow', boundary);
    const isReadable = target?.stat.isFile() || (target !== undefined && isAboutTheFileOnly(wanted));
    if (target === undefined || !isReadable) {
      return { type: wanted, value: wanted === 'none' ? '{none}' : null };
    }
    return checksum(wanted, await this.checksums.of(target, wanted));
  }
}

function checksum(type: ChecksumType, value: string) {
  return { type, value: `{${type}}${value}` };
}

function isAboutTheFileOnly(type: ChecksumType): boolean {
  return type === 'mtime' || type === 'ctime' || type === 'none';
}

function typeOf(stat: BigIntStats): MetadataWire['type'] {
  if (stat.isFile()) return 'file';
  if (stat.isDirectory()) return 'directory';
  if (stat.isSymbolicLink()) return 'link';
  if (stat.isFIFO()) return 'fifo';
  if (stat.isSocket()) return 'socket';
  throw new RequestFailed(
    `Cannot manage files of type ${stat.isBlockDevice() ? 'blockSpecial' : 'characterSpecial'}`,
  );
}

/** The query parameters of metadata requests, with the reference's defaults and complaints. */

import { RequestFailed } from '../../platform/indirection/index.ts';
import { type ChecksumType, isChecksumType } from './checksums.ts';
import type { Links } from './examine.ts';
import { fnmatch } from './fnmatch.ts';

export interface MetadataOptions {
  readonly links: Links;
  readonly checksumType: ChecksumType;
  /** False: owner, group and mode are the server's own and 0644. */
  readonly usesSourcePermissions: boolean;
}

export interface FilesetOptions {
  readonly links: Links;
  readonly recurses: boolean;
  /** How many levels below the directory. */
  readonly recurseLimit: number;
  /** The most entries; 0: no limit, but a warning; negative: no limit. */
  readonly maxFiles: number;
  readonly isIgnored: (name: string) => boolean;
}

/** @throws RequestFailed for values that the reference refuses */
export function metadataOptions(query: URLSearchParams): MetadataOptions {
  return {
    links: managedLinks(query.get('links') ?? 'manage'),
    checksumType: checksumType(query.get('checksum_type') ?? 'sha256'),
    usesSourcePermissions: usesSourcePermissions(query.get('source_permissions') ?? 'ignore'),
  };
}

/** @throws RequestFailed for values that the reference refuses */
export function filesetOptions(query: URLSearchParams): FilesetOptions {
  const recurse = query.get('recurse') ?? 'false';
  if (/^\d+$/.test(recurse)) {
    throw new RequestFailed(
      'Fileset recurse parameter must not be a number anymore, please use recurselimit',
    );
  }
  const recurses = recurse !== 'false';
  const ignored = query.getAll('ignore').map(fnmatch);
  return {
    links: filesetLinks(query.get('links') ?? 'manage'),
    recurses,
    recurseLimit: recurses ? recurseLimit(query.get('recurselimit')) : 0,
    maxFiles: maxFiles(query.get('max_files') ?? '0'),
    isIgnored: (name) => ignored.some((matches) => matches(name)),
  };
}

function managedLinks(value: string): Links {
  if (value === 'ignore') return 'manage';
  if (value === 'manage' || value === 'follow') return value;
  throw new RequestFailed(':links can only be set to :manage or :follow');
}

function filesetLinks(value: string): Links {
  if (value === 'manage' || value === 'follow') return value;
  throw new RequestFailed(`Invalid :links value '${value}'`);
}

function checksumType(value: string): ChecksumType {
  if (isChecksumType(value)) return value;
  throw new RequestFailed(`Unsupported checksum type ${value}`);
}

function usesSourcePermissions(value: string): boolean {
  if (value === 'ignore') return false;
  if (value === 'use' || value === 'use_when_creating') return true;
  throw new RequestFailed(`Unsupported source_permission ${value}`);
}

function recurseLimit(value: string | null): number {
  if (value === null) return Number.POSITIVE_INFINITY;
  if (isNumber(value)) return Number(value);
  throw new RequestFailed('comparison of Integer with String failed');
}

function maxFiles(value: string): number {
  if (value === '-1') return -1;
  if (isNumber(value)) return Number(value);
  throw new RequestFailed('comparison of String with 0 failed');
}

/** What arrives as a number; anything else stays text. */
function isNumber(value: string): boolean {
  return /^\d+(\.\d+)?$/.test(value);
}

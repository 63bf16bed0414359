/**
 * `inventory.txt`: one line for each certificate that was ever signed,
 * `0x0004 2026-11-20T09:20:36UTC 2031-11-20T09:20:36UTC /CN=agent.example.net`.
 */

import { open, truncate } from 'node:fs/promises';
import { type Certificate, renderName } from '../../../platform/x509/index.ts';
import { parseTime, renderTime } from '../validity.ts';
import { findFile } from './ca-directory.ts';

interface InventoryEntry {
  readonly serial: string;
  readonly notBefore: Date | undefined;
  readonly notAfter: Date | undefined;
}

export class Inventory {
  private readonly path: string;
  private readonly entries: Map<string, InventoryEntry[]>;
  private highestKnown: bigint;
  private unreadableCount = 0;

  private constructor(path: string, entries: Map<string, InventoryEntry[]>, highestSerial: bigint) {
    this.path = path;
    this.entries = entries;
    this.highestKnown = highestSerial;
  }

  /**
   * Reads the inventory. A last line without its newline was never acknowledged: it is completed when it is whole
   * and cut off when it is not.
   *
   * @param mayRepair - false for a reader that must not write
   */
  static async load(path: string, mayRepair: boolean): Promise<Inventory> {
    const content = (await findFile(path))?.content ?? '';
    const inventory = new Inventory(path, new Map(), 0n);
    const lines = content.split('\n');
    // What follows the last newline is looked at below.
    for (const line of lines.slice(0, -1))
      if (!inventory.read(line) && line.trim() !== '') inventory.unreadableCount++;
    inventory.read(lines.at(-1) ?? '');
    if (mayRepair && content !== '' && !content.endsWith('\n')) await repairTail(path, content);
    return inventory;
  }

  /** The highest serial number in it, 0 when it is empty. */
  get highestSerial(): bigint {
    return this.highestKnown;
  }

  /** Lines of the file that are not an inventory's. */
  get unreadableLines(): number {
    return this.unreadableCount;
  }

  has(certname: string): boolean {
    return this.entries.has(certname);
  }

  /** Serial numbers of a node's certificates that have not expired, oldest first. */
  validSerials(certname: string, now: Date): string[] {
    const entries = this.entries.get(certname) ?? [];
    return entries.flatMap(({ serial, notAfter }) => (notAfter && now < notAfter ? [serial] : []));
  }

  /** Serial numbers of certificates that expired before `time`. */
  expiredBefore(time: Date): ReadonlySet<string> {
    const expired = new Set<string>();
    for (const entries of this.entries.values()) {
      for (const { serial, notAfter } of entries) if (notAfter && notAfter < time) expired.add(serial);
    }
    return expired;
  }

  /** Nodes whose latest certificate begins after `now`. */
  notYetValid(now: Date): string[] {
    return Array.from(this.entries).flatMap(([certname, entries]) => {
      const latest = entries.at(-1);
      return latest?.notBefore !== undefined && now < latest.notBefore ? [certname] : [];
    });
  }

  /** Adds a line for each and makes them durable. */
  async append(certificates: readonly Certificate[]): Promise<void> {
    const lines = certificates.map(inventoryLine);
    const file = await open(this.path, 'a', 0o644);
    try {
      await file.appendFile(lines.map((line) => `${line}\n`).join(''));
      await file.sync();
    } finally {
      await file.close();
    }
    for (const line of lines) this.read(line);
  }

  /** @returns whether it is a line of an inventory */
  private read(line: string): boolean {
    const entry = parseLine(line);
    if (!entry) return false;
    const serial = BigInt(`0x${entry.serial}`);
    if (serial > this.highestKnown) this.highestKnown = serial;
    const known = this.entries.get(entry.certname);
    if (known) known.push(entry);
    else this.entries.set(entry.certname, [entry]);
    return true;
  }
}

/** The line for a certificate, without a newline. */
function inventoryLine(certificate: Certificate): string {
  const { serial, notBefore, notAfter, subject } = certificate;
  return `0x${serial.padStart(4, '0')} ${renderTime(notBefore)} ${renderTime(notAfter)} ${renderName(subject)}`;
}

function parseLine(line: string): (InventoryEntry & { readonly certname: string }) | undefined {
  const match = /^0x([0-9a-fA-F]{1,128}) (\S+) (\S+) \/CN=(.+)$/.exec(line);
  const [, serial = '', notBefore = '', notAfter = '', certname = ''] = match ?? [];
  if (!match) return undefined;
  return {
    certname,
    serial: serial.toUpperCase().replace(/^0+(?=.)/, ''),
    notBefore: parseTime(notBefore),
    notAfter: parseTime(notAfter),
  };
}

/** Every line of an inventory, for those who check it. */
export function readInventory(content: string): {
  readonly entries: readonly { readonly certname: string; readonly serial: string }[];
  readonly unreadable: readonly string[];
} {
  const lines = content.split('\n').filter((line) => line.trim() !== '');
  const parsed = lines.map((line) => parseLine(line));
  return {
    entries: parsed.filter((entry) => entry !== undefined),
    unreadable: lines.filter((_, index) => parsed[index] === undefined),
  };
}

async function repairTail(path: string, content: string): Promise<void> {
  const start = content.lastIndexOf('\n') + 1;
  if (!parseLine(content.slice(start))) {
    await truncate(path, Buffer.byteLength(content.slice(0, start)));
    return;
  }
  const file = await open(path, 'a');
  try {
    await file.write('\n');
    await file.sync();
  } finally {
    await file.close();
  }
}

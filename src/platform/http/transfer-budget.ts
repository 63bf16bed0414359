/** The memory that clients make the server hold while bodies arrive and answers are sent. */

import { ServiceError } from '../../lib/service-error.ts';

/** One body on its way, in either direction. */
export interface Transfer {
  /** Counts more bytes as held; those of a transfer that was dropped are not counted any more. */
  grow(bytes: number): void;
  /** To be called when nothing of it is held any more; further calls do nothing. */
  end(): void;
}

interface Entry {
  readonly client: string;
  readonly drop: () => void;
  bytes: number;
}

interface ClientTransfers {
  readonly entries: Set<Entry>;
  bytes: number;
}

const defaultMaxBytes = 512 * 1024 * 1024;
const retryAfterSeconds = 5;

/**
 * Takes everything at once, as long as there is room: a client that reserves memory and sends nothing would shut out all
 * others. Beyond that the client that holds most loses its oldest transfers. One client holds at most half, or one body.
 */
export class TransferBudget {
  private readonly maxBytes: number;
  private readonly clients = new Map<string, ClientTransfers>();
  private usedBytes = 0;

  constructor(maxBytes = defaultMaxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Bytes that are held. */
  get used(): number {
    return this.usedBytes;
  }

  /** @param drop - called at most once, when the memory is needed: ends the transfer */
  begin(client: string, drop: () => void): Transfer {
    const entry: Entry = { client, drop, bytes: 0 };
    const transfers = this.clients.get(client) ?? { entries: new Set(), bytes: 0 };
    this.clients.set(client, transfers);
    transfers.entries.add(entry);
    return { grow: (bytes) => this.grow(entry, bytes), end: () => this.remove(entry) };
  }

  private grow(entry: Entry, bytes: number): void {
    const transfers = this.clients.get(entry.client);
    if (transfers?.entries.has(entry) !== true) return;
    entry.bytes += bytes;
    transfers.bytes += bytes;
    this.usedBytes += bytes;
    let hasDropped = true;
    while (hasDropped && transfers.bytes > this.maxBytes / 2) hasDropped = this.dropOldest(transfers);
    hasDropped = true;
    while (hasDropped && this.usedBytes > this.maxBytes) hasDropped = this.dropOldest(this.largest());
  }

  private largest(): ClientTransfers | undefined {
    let largest: ClientTransfers | undefined;
    for (const transfers of this.clients.values())
      if (transfers.bytes > (largest?.bytes ?? 0)) largest = transfers;
    return largest;
  }

  /** @returns whether there was one to drop: a body that is alone is kept, whatever its length */
  private dropOldest(transfers: ClientTransfers | undefined): boolean {
    const oldest = transfers?.entries.values().find(({ bytes }) => bytes > 0);
    if (oldest === undefined || oldest.bytes === transfers?.bytes) return false;
    this.remove(oldest);
    oldest.drop();
    return true;
  }

  private remove(entry: Entry): void {
    const transfers = this.clients.get(entry.client);
    if (transfers?.entries.delete(entry) !== true) return;
    transfers.bytes -= entry.bytes;
    this.usedBytes -= entry.bytes;
    if (transfers.entries.size === 0) this.clients.delete(entry.client);
  }
}

/** What a client is told whose body has no room. */
export function overloaded(): ServiceError {
  return new ServiceError('unavailable', 'Too many large requests are being processed', {
    details: { retryAfterSeconds },
  });
}

/** Plays the broker's side of a recorded conversation, and compares the agent's side. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { PcpMessage, TestBroker } from './test-broker.ts';

interface Entry {
  readonly t_ms: number;
  readonly layer?: string;
  readonly dir?: string;
  readonly opcode?: string;
  readonly message?: PcpMessage;
  readonly text?: string;
  readonly payload_hex?: string;
  readonly request?: { readonly url: string };
}

export interface Step {
  readonly note: string;
  readonly entries: readonly Entry[];
}

export function recordedSteps(name: string): readonly Step[] {
  const file = new URL(`../recorded/pcp/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { steps: readonly Step[] }).steps;
}

/** The longest of the recorded pauses that is waited for. */
const longestPauseMs = 1200;

export class Replay {
  private readonly broker: TestBroker;
  /** Recorded text -> what it is here: checksums of files, addresses of servers. */
  private readonly names: readonly (readonly [string, string])[];
  private previousMs: number | undefined;

  constructor(broker: TestBroker, names: readonly (readonly [string, string])[] = []) {
    this.broker = broker;
    this.names = names;
  }

  async play(step: Step): Promise<void> {
    for (const entry of step.entries.filter(({ layer }) => layer === 'ws')) {
      const { dir, message, payload_hex: hex, t_ms: atMs, text } = entry;
      if (dir === 'broker->agent') {
        await sleep(Math.min(this.previousMs === undefined ? 0 : atMs - this.previousMs, longestPauseMs));
        if (message !== undefined) this.broker.send(this.here(JSON.stringify(message)));
        else if (text !== undefined) this.broker.send(text);
        else this.broker.sendBytes(Buffer.from(hex ?? '', 'hex'));
      } else if (message !== undefined) {
        await this.expectMessage(JSON.parse(this.here(JSON.stringify(message))) as PcpMessage, step.note);
      }
      this.previousMs = atMs;
    }
  }

  /** Nothing came that the recording does not have. */
  async expectNothingMore(): Promise<void> {
    await sleep(300);
    expect(this.broker.unread.map(withoutId)).toEqual([]);
  }

  /** In any order: a quick action's end may come before the provisional response. */
  private async expectMessage(expected: PcpMessage, note: string): Promise<void> {
    const wanted = JSON.stringify(withoutId(expected));
    const isWanted = (message: PcpMessage) => JSON.stringify(withoutId(message)) === wanted;
    const endsAtMs = Date.now() + 60_000;
    while (Date.now() < endsAtMs) {
      if (this.broker.take(isWanted) !== undefined) return;
      await sleep(10);
    }
    expect(this.broker.unread.map(withoutId), note).toContainEqual(withoutId(expected));
  }

  private here(text: string): string {
    return this.names.reduce((result, [recorded, own]) => result.replaceAll(recorded, own), text);
  }
}

/**
 * Names of members are sorted: their order says nothing. The C++ agent counts two bytes more in a message that is too
 * long than it would send.
 */
function withoutId(message: PcpMessage): unknown {
  const { id: _id, ...rest } = message;
  return sorted(
    JSON.parse(JSON.stringify(rest).replace(/Message size: \d+ exceeded/, 'Message size: N exceeded')),
  );
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

/** What the recorded machine printed about itself. */
export const machineNames: readonly (readonly [string, string])[] = [
  [
    JSON.stringify('root\nagent01.example.vm\n/\n'),
    JSON.stringify(`${userInfo().username}\n${hostname()}\n/\n`),
  ],
];

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Proofs that were refused: for alerts, and for the record of changes as far as strangers cannot fill it. */

import type { Change } from '../../platform/changes/index.ts';
import type { Refusal } from './identity-register.ts';

interface Noted extends Refusal {
  readonly time: Date;
}

const alertMs = 60 * 60 * 1000;
/** A claim that waits for a person is shown for longer. */
const heldAlertMs = 24 * 60 * 60 * 1000;
const mostNoted = 200;
const mostRecordedPerHour = 60;

export class Refusals {
  private readonly now: () => Date;
  private readonly record: (change: Change) => Promise<void>;
  private noted: Noted[] = [];
  private recorded: number[] = [];

  /** @param record - never rejects */
  constructor(now: () => Date, record: (change: Change) => Promise<void>) {
    this.now = now;
    this.record = record;
  }

  note(refusal: Refusal): void {
    const time = this.now();
    this.noted = [...this.noted, { ...refusal, time }].slice(-mostNoted);
    this.recorded = this.recorded.filter((ms) => time.getTime() - ms < alertMs);
    if (this.recorded.length >= mostRecordedPerHour) return;
    this.recorded.push(time.getTime());
    void this.record(changeOf(refusal, time));
  }

  /** Messages for people, what waits for them first. */
  alerts(): readonly { readonly severity: 'error' | 'warning'; readonly message: string }[] {
    const nowMs = this.now().getTime();
    const since = (ms: number) => this.noted.filter(({ time }) => nowMs - time.getTime() < ms);
    const held = new Map(since(heldAlertMs).flatMap((one) => (one.isHeld ? [[one.certname, one]] : [])));
    const refused = since(alertMs).filter(({ isHeld }) => !isHeld);
    const last = refused.at(-1);
    const claims = [...held.values()].map(({ address, certname, reason }) => ({
      severity: 'error' as const,
      message: `${reason} (asked for ${certname} from ${address})`,
    }));
    if (last === undefined) return claims;
    const count =
      refused.length === 1 ? 'A proof of identity was' : `${refused.length} proofs of identity were`;
    const message = `${count} refused within the last hour, the last of ${last.certname} from ${last.address}: ${last.reason}`;
    return [...claims, { severity: 'warning', message }];
  }
}

function changeOf({ address, certname, isHeld, provider, reason }: Refusal, time: Date): Change {
  const message = `${isHeld ? 'Held' : 'Refused'} a proof of identity (${provider}) for ${certname}: ${reason}`;
  return {
    author: { kind: 'anonymous', id: '', name: 'anonymous', address },
    time,
    object: { service: 'infrastructure', type: 'identities', id: certname, name: certname },
    events: [{ action: isHeld ? 'hold' : 'refuse', what: 'identity', message }],
  };
}

/** Platforms limit how often they are asked, and the primary looks every few seconds: an answer is kept for a while. */

import type { Driver, Instance } from './driver.ts';

export interface KeptInventoryOptions {
  readonly keepMs: number;
  /** On a clock that is never moved. */
  readonly nowMs: () => number;
}

type Answer = Promise<readonly Instance[] | undefined>;

/** The same driver; what it says of its instances is at most `keepMs` old. A failure is told again for a third of that. */
export function withKeptInventory(driver: Driver, { keepMs, nowMs }: KeptInventoryOptions): Driver {
  let kept: { readonly answer: Answer; untilMs: number } | undefined;
  const ask = (): Answer => {
    const answer = driver.inventory();
    const entry = { answer, untilMs: Number.POSITIVE_INFINITY };
    kept = entry;
    answer.then(
      () => {
        entry.untilMs = nowMs() + keepMs;
      },
      () => {
        entry.untilMs = nowMs() + keepMs / 3;
      },
    );
    return answer;
  };
  return {
    ...driver,
    inventory: () => (kept !== undefined && nowMs() < kept.untilMs ? kept.answer : ask()),
    async end(instanceId) {
      try {
        await driver.end(instanceId);
      } finally {
        kept = undefined;
      }
    },
  };
}

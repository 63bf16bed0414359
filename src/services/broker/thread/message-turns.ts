/** Messages for this thread, some in each turn of the event loop. */

/** To read messages of this size together and to store what they say takes some 10 ms. */
const turnLength = 512 * 1024;

/**
 * Hands messages on in the order in which they came. After as much as takes some time, connections are served before the next message is
 * handed on: hundreds of agents may answer at once.
 */
export class MessageTurns {
  private readonly take: (data: string | Uint8Array) => void;
  private waiting: (string | Uint8Array)[] = [];
  private turn: NodeJS.Immediate | undefined;
  /** What was handed on in this turn. */
  private handedOn = 0;

  constructor(take: (data: string | Uint8Array) => void) {
    this.take = take;
  }

  add(data: string | Uint8Array): void {
    this.waiting.push(data);
    // It comes in a turn of its own, and ends this one.
    this.turn ??= setImmediate(() => this.endTurn());
    if (this.handedOn < turnLength) this.handOn();
  }

  /** Forgets what has not been handed on. */
  clear(): void {
    clearImmediate(this.turn);
    this.turn = undefined;
    this.waiting = [];
    this.handedOn = 0;
  }

  private endTurn(): void {
    this.handedOn = 0;
    this.turn = undefined;
    this.handOn();
    if (this.waiting.length > 0) this.turn = setImmediate(() => this.endTurn());
  }

  private handOn(): void {
    let count = 0;
    while (this.handedOn < turnLength) {
      const data = this.waiting[count];
      if (data === undefined) break;
      count += 1;
      this.handedOn += data.length;
      this.take(data);
    }
    this.waiting.splice(0, count);
  }
}

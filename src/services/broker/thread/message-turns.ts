/** Messages for this thread, one large one in each turn of the event loop. */

/** To read a message of this size and to store what it says takes some 10 ms. */
const largeLength = 512 * 1024;

/**
 * Hands messages on in the order in which they came. After a large one, connections are served before the next message is handed
 * on: many may arrive at once, and sixteen megabytes take a third of a second.
 */
export class MessageTurns {
  private readonly take: (text: string) => void;
  private waiting: string[] = [];
  private turn: NodeJS.Immediate | undefined;

  constructor(take: (text: string) => void) {
    this.take = take;
  }

  add(text: string): void {
    this.waiting.push(text);
    if (this.turn === undefined) this.handOn();
  }

  /** Forgets what has not been handed on. */
  clear(): void {
    clearImmediate(this.turn);
    this.turn = undefined;
    this.waiting = [];
  }

  private handOn(): void {
    this.turn = undefined;
    for (let text = this.waiting.shift(); text !== undefined; text = this.waiting.shift()) {
      if (text.length > largeLength) this.turn = setImmediate(() => this.handOn());
      this.take(text);
      if (this.turn !== undefined) return;
    }
  }
}

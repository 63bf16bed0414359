/** The clients that are connected, by URI. */

import { Inventory } from './inventory.ts';
import type { Session } from './session.ts';

export class Sessions {
  readonly inventory = new Inventory();
  private readonly open = new Map<string, Session>();

  get size(): number {
    return this.open.size;
  }

  find(uri: string): Session | undefined {
    return this.open.get(uri);
  }

  all(): readonly Session[] {
    return [...this.open.values()];
  }

  /** @returns the session of the same URI that this one takes the place of */
  add(session: Session): Session | undefined {
    const { uri } = session.client;
    const before = this.open.get(uri);
    this.open.set(uri, session);
    // One that waits for an association is not there yet, and the one before it is no longer.
    if (session.isAssociated) this.inventory.add(uri);
    else this.inventory.remove(uri);
    return before;
  }

  /** A client of version 1 is there from now on. */
  associate(session: Session): void {
    session.isAssociated = true;
    if (this.open.get(session.client.uri) === session) this.inventory.add(session.client.uri);
  }

  /** @returns whether it was there: one that another has replaced is not */
  remove(session: Session): boolean {
    const { uri } = session.client;
    this.inventory.unsubscribe(session);
    if (this.open.get(uri) !== session) return false;
    this.open.delete(uri);
    this.inventory.remove(uri);
    return true;
  }
}

/** Pages that are opened: what has been pressed is marked in the next frame, before the page is rendered, which takes longer. */

import { afterFrame } from '../lib/after-frame.ts';

export class Openings {
  private path: string | undefined;

  /** @param path - of the page that is opened; another address of the same page does not wait */
  async begin(path: string): Promise<void> {
    const isOther = this.path !== undefined && this.path !== path;
    this.path = path;
    // A hidden window has no frames.
    if (isOther && document.visibilityState === 'visible')
      await new Promise<void>((resolve) => void afterFrame(resolve));
  }
}

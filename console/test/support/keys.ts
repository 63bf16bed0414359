/** Keyboard steps for scenarios: they only press keys and never set the focus themselves. */

import type { Locator } from 'playwright-core';
import type { ConsoleWindow } from './console-window.ts';

export interface Keys {
  /** Presses Tab until the element has the focus. */
  readonly reach: (target: Locator) => Promise<void>;
  /** Moves the focus there and presses Enter. */
  readonly enter: (target: Locator) => Promise<void>;
  readonly type: (target: Locator, text: string) => Promise<void>;
  /** Goes to a list of choices, and down until this one is chosen. */
  readonly choose: (target: Locator, choice: string) => Promise<void>;
}

/** Longer lists would be unusable. */
const mostTabs = 120;
const mostChoices = 60;

interface FocusedElement {
  contains(other: unknown): boolean;
  readonly ownerDocument: { readonly activeElement: unknown };
}

interface Choices {
  readonly selectedOptions: readonly { readonly text: string }[];
}

export function handsOnKeys({ page }: Pick<ConsoleWindow, 'page'>): Keys {
  const reach = async (target: Locator) => {
    await target.waitFor();
    const hasFocus = () =>
      target.evaluate((element: FocusedElement) => element.contains(element.ownerDocument.activeElement));
    for (let tabs = 0; tabs < mostTabs; tabs++) {
      if (await hasFocus()) return;
      await page().keyboard.press('Tab');
    }
    throw new Error(`${String(target)} is not reached with ${mostTabs} times Tab`);
  };
  return {
    reach,
    async enter(target) {
      await reach(target);
      await page().keyboard.press('Enter');
    },
    async type(target, text) {
      await reach(target);
      await page().keyboard.type(text);
    },
    async choose(target, choice) {
      await reach(target);
      const chosen = () => target.evaluate((list) => (list as unknown as Choices).selectedOptions[0]?.text);
      for (let steps = 0; steps < mostChoices; steps++) {
        if ((await chosen()) === choice) return;
        await page().keyboard.press('ArrowDown');
      }
      throw new Error(`${String(target)} has no choice ${choice}`);
    },
  };
}

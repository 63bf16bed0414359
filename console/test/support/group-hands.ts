/** What scenarios do on the page of groups. */

import type { ConsoleWindow } from './console-window.ts';
import { linkTo } from './group-links.ts';

export function handsOn({ page }: Pick<ConsoleWindow, 'page'>) {
  const dialog = () => page().getByRole('dialog');
  const press = (name: string | RegExp) => page().getByRole('button', { name, exact: true }).click();
  return {
    dialog,
    press,
    tab: (name: string) => page().getByRole('tab', { name, exact: true }).click(),
    /** Goes there from any page. */
    async group(name: string) {
      await page()
        .getByRole('navigation', { name: 'Pages' })
        .getByRole('link', { name: 'Classification' })
        .click();
      await page()
        .getByRole('navigation', { name: 'Node groups' })
        .getByRole('link', { name: linkTo(name) })
        .click();
      await page().getByRole('heading', { name, exact: true }).waitFor();
    },
    async commit(label: string, effect: RegExp) {
      await press(label);
      await dialog().getByText(effect).waitFor();
      await dialog().getByRole('button', { name: 'Commit changes' }).click();
      await dialog().waitFor({ state: 'hidden' });
    },
    async addGroup(name: string, parent: string) {
      await page().getByLabel('Node group name').fill(name);
      await page().getByLabel('Parent name').selectOption(parent);
      await press('Add group');
      await page().getByRole('heading', { name, exact: true }).waitFor();
    },
  };
}

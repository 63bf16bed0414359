/** Parts of a page of which one is shown; which one is part of the address. */

import { type ReactElement, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components';
import { afterFrame, afterFrames } from '../lib/after-frame.ts';
import styles from './tabs.module.css';

export interface TabDefinition {
  readonly id: string;
  readonly title: string;
  readonly render: () => ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly TabDefinition[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}

export function Tabs({ label, onSelect, selected, tabs }: TabsProps): ReactElement {
  const [pressed, setPressed] = useState<{ readonly id: string; readonly before: string }>();
  if (pressed !== undefined && pressed.before !== selected) setPressed(undefined);
  // The tab is marked in the next frame, and only then its content is rendered, which may take longer.
  const press = (id: string) => {
    setPressed({ id, before: selected });
    afterFrame(() => onSelect(id));
  };
  const shown = pressed?.id ?? selected;
  const list = useRef<HTMLDivElement>(null);
  // A small screen has not room for all.
  useEffect(() => afterFrames(() => showSelected(list.current)), [shown]);
  const content = useMemo(() => tabs.find(({ id }) => id === selected)?.render(), [tabs, selected]);
  return (
    <AriaTabs selectedKey={shown} onSelectionChange={(key) => press(String(key))}>
      <TabList ref={list} aria-label={label} className={styles.list ?? ''}>
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className={styles.tab ?? ''}>
            {title}
          </Tab>
        ))}
      </TabList>
      <TabPanel id={shown} className={styles.panel ?? ''} aria-busy={pressed !== undefined || undefined}>
        {content}
      </TabPanel>
    </AriaTabs>
  );
}

/** Without moving the page. */
function showSelected(list: HTMLElement | null): void {
  const tab = list?.querySelector<HTMLElement>('[aria-selected="true"]');
  if (list === null || !tab) return;
  list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
}

/** Parts of a page of which one is shown; which one is part of the address. */

import type { ReactElement, ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components';
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
  return (
    <AriaTabs selectedKey={selected} onSelectionChange={(key) => onSelect(String(key))}>
      <TabList aria-label={label} className={styles.list ?? ''}>
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className={styles.tab ?? ''}>
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, render }) => (
        <TabPanel key={id} id={id} className={styles.panel ?? ''}>
          {render()}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}

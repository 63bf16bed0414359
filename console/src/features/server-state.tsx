/** The state of a server: icon, word and colour. */

import { Check, CircleAlert, CircleX, type LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { healthOf, type ServerHealth } from '../lib/servers.ts';
import { visibleText } from '../lib/visible-text.ts';
import styles from './status.module.css';

const looks: Readonly<Record<ServerHealth, readonly [icon: LucideIcon, colour: string]>> = {
  good: [Check, 'var(--unchanged)'],
  warning: [CircleAlert, 'var(--corrective)'],
  bad: [CircleX, 'var(--failed)'],
};

interface ServerStateProps {
  readonly state: string;
  readonly alerts: readonly { readonly severity: string }[];
}

export function ServerState({ alerts, state }: ServerStateProps): ReactElement {
  const [Icon, color] =
    looks[
      healthOf(
        state,
        alerts.map(({ severity }) => severity),
      )
    ];
  return (
    <span className={styles.status} style={{ color }}>
      <Icon size={16} aria-hidden />
      {visibleText(state)}
    </span>
  );
}

/** One square for each server: whether it serves the deployed version. */

import type { ReactElement } from 'react';
import { convergenceText, type ServingServer } from '../lib/convergence.ts';
import styles from './server-squares.module.css';

export function ServerSquares({ servers }: { readonly servers: readonly ServingServer[] }): ReactElement {
  return (
    <span className={styles.line}>
      <span className={styles.squares} aria-hidden>
        {servers.map(({ certname, isCurrent }) => (
          <span
            key={certname}
            title={`${certname}: ${isCurrent ? 'serves it' : 'does not serve it yet'}`}
            className={isCurrent ? styles.current : styles.behind}
          />
        ))}
      </span>
      {convergenceText(servers)}
    </span>
  );
}

/** One of several things that a group has, with a way to remove it. */

import { X } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import styles from './page.module.css';

interface RowProps {
  /** What is removed, in words. */
  readonly label: string;
  readonly children: ReactNode;
  /** Absent where the user may not remove it. */
  readonly onRemove: (() => void) | undefined;
}

export function Row({ children, label, onRemove }: RowProps): ReactElement {
  return (
    <li className={styles.row}>
      <span className={styles.rowText}>{children}</span>
      {onRemove === undefined ? undefined : (
        <Button look="quiet" label={`Remove ${label}`} onPress={onRemove}>
          <X size={16} aria-hidden />
        </Button>
      )}
    </li>
  );
}

/** The status of a run: icon, word and colour. */

import { Check, CircleDashed, CircleOff, CircleX, type LucideIcon, Pencil, RotateCcw } from 'lucide-react';
import type { ReactElement } from 'react';
import { type RunStatus, statusWords } from '../lib/run-status.ts';
import styles from './status.module.css';

const icons: Readonly<Record<RunStatus, LucideIcon>> = {
  failed: CircleX,
  corrective: RotateCcw,
  intentional: Pencil,
  unchanged: Check,
  'noop-failed': CircleX,
  'noop-corrective': RotateCcw,
  'noop-intentional': Pencil,
  'noop-unchanged': Check,
  unresponsive: CircleDashed,
  unreported: CircleOff,
};

/** The name of the token with the colour of a status. */
export function statusColour(status: RunStatus): string {
  if (status.startsWith('noop-')) return 'var(--noop)';
  if (status === 'unresponsive' || status === 'unreported') return 'var(--muted)';
  return `var(--${status})`;
}

interface StatusProps {
  readonly status: RunStatus;
  /** The icon alone; its word is still read out. */
  readonly isShort?: boolean;
}

export function Status({ isShort = false, status }: StatusProps): ReactElement {
  const Icon = icons[status];
  const words = statusWords[status];
  return (
    <span
      className={styles.status}
      style={{ color: statusColour(status) }}
      title={isShort ? words : undefined}
    >
      <Icon size={16} aria-hidden />
      <span className={isShort ? 'visually-hidden' : undefined}>{words}</span>
    </span>
  );
}

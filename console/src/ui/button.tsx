/** What is pressed. */

import type { ReactElement, ReactNode } from 'react';
import styles from './button.module.css';

interface ButtonProps {
  readonly children: ReactNode;
  /** `plain` when absent. */
  readonly look?: 'plain' | 'primary' | 'quiet';
  /** Where the content alone doesn't say what it does. */
  readonly label?: string;
  readonly type?: 'button' | 'submit';
  readonly isDisabled?: boolean;
  readonly onPress?: () => void;
}

/** A button of the browser: those of `react-aria-components` take ten times as long to render, and lists have hundreds. */
export function Button({
  children,
  isDisabled = false,
  label,
  look = 'plain',
  onPress,
  type = 'button',
}: ButtonProps): ReactElement {
  return (
    <button
      className={`${styles.button} ${styles[look]}`}
      type={type}
      disabled={isDisabled}
      aria-label={label}
      onClick={(event) => {
        // Safari does not: a dialog gives the focus back to what had it.
        event.currentTarget.focus();
        onPress?.();
      }}
    >
      {children}
    </button>
  );
}

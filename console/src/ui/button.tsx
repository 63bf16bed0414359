/** What is pressed. */

import type { ReactElement, ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
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

export function Button({
  children,
  label,
  look = 'plain',
  type = 'button',
  ...rest
}: ButtonProps): ReactElement {
  return (
    <AriaButton
      className={`${styles.button} ${styles[look]}`}
      type={type}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...rest}
    >
      {children}
    </AriaButton>
  );
}

/** What a program has written, as it wrote it. */

import type { ReactElement, ReactNode } from 'react';
import styles from './output-block.module.css';

interface OutputBlockProps {
  readonly isError?: boolean;
  readonly children: ReactNode;
}

export function OutputBlock({ children, isError = false }: OutputBlockProps): ReactElement {
  return <pre className={`${styles.output} ${isError ? styles.error : ''}`}>{children}</pre>;
}

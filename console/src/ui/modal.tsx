/** A layer over the page that has to be left before anything else can be done. */

import type { ReactElement, ReactNode } from 'react';
import { Dialog, Heading, ModalOverlay, Modal as ModalPanel } from 'react-aria-components';
import styles from './modal.module.css';

interface ModalProps {
  readonly title: string;
  /** Called when it is left with Escape or by a click beside it; it can't be left so when absent. */
  readonly onClose?: () => void;
  readonly isNarrow?: boolean;
  readonly children: ReactNode;
}

export function Modal({ children, isNarrow = false, onClose, title }: ModalProps): ReactElement {
  return (
    <ModalOverlay
      isOpen
      isDismissable={onClose !== undefined}
      isKeyboardDismissDisabled={onClose === undefined}
      {...(onClose === undefined ? {} : { onOpenChange: onClose })}
      className={styles.overlay ?? ''}
    >
      <ModalPanel className={`${styles.panel} ${isNarrow ? styles.narrow : ''}`}>
        <Dialog className={styles.dialog ?? ''}>
          <Heading slot="title" className={styles.title ?? ''}>
            {title}
          </Heading>
          {children}
        </Dialog>
      </ModalPanel>
    </ModalOverlay>
  );
}

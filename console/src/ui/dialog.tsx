/** A question over the page: what will happen, and whether it is meant. */

import type { ReactElement, ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { Failure } from './states.tsx';

interface DialogProps {
  readonly title: string;
  /** What is done when it is meant: `Stop the job`. */
  readonly action: string;
  readonly isDisabled?: boolean;
  /** Why it could not be done. */
  readonly failure?: unknown;
  readonly onAct: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Dialog(props: DialogProps): ReactElement {
  const { action, children, failure, isDisabled = false, onAct, onClose, title } = props;
  return (
    <ModalOverlay isOpen onOpenChange={onClose} isDismissable className={styles.overlay ?? ''}>
      <Modal className={styles.modal ?? ''}>
        <AriaDialog className={styles.dialog ?? ''}>
          <div className={styles.content}>
            <Heading slot="title">{title}</Heading>
            {children}
            {failure === undefined ? undefined : <Failure title="This was not done" error={failure} />}
            <div className={styles.buttons}>
              <Button onPress={onClose}>Cancel</Button>
              <Button look="primary" isDisabled={isDisabled} onPress={onAct}>
                {action}
              </Button>
            </div>
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

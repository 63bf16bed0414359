/** A question over the page: what will happen, and whether it is meant. */

import type { ReactElement, ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { Modal } from './modal.tsx';
import { Failure } from './states.tsx';

interface DialogProps {
  readonly title: string;
  /** What is done when it is meant: `Stop the job`. */
  readonly action: string;
  /** `Cancel` when absent. */
  readonly cancel?: string;
  readonly isDisabled?: boolean;
  /** Why it could not be done. */
  readonly failure?: unknown;
  /** `This was not done` when absent. */
  readonly failureTitle?: string;
  readonly onAct: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Dialog(props: DialogProps): ReactElement {
  const { action, cancel = 'Cancel', children, failure, isDisabled = false, onAct, onClose, title } = props;
  return (
    <Modal title={title} onClose={onClose}>
      {children}
      {failure === undefined ? undefined : (
        <Failure title={props.failureTitle ?? 'This was not done'} error={failure} />
      )}
      <div className={styles.buttons}>
        <Button onPress={onClose}>{cancel}</Button>
        <Button look="primary" isDisabled={isDisabled} onPress={onAct}>
          {action}
        </Button>
      </div>
    </Modal>
  );
}

/** Tries out whether a directory or provider answers as the form has it. */

import { type ReactElement, useState } from 'react';
import { useRecentLogin } from '../../features/log-in-again.ts';
import { Button } from '../../ui/button.tsx';
import styles from './page.module.css';

interface ConnectionTestProps {
  readonly isDisabled: boolean;
  /** `directory` */
  readonly what: string;
  /** @returns how long it took, in ms */
  readonly test: () => Promise<number>;
}

export function ConnectionTest({ isDisabled, test, what }: ConnectionTestProps): ReactElement {
  const [result, setResult] = useState<{ readonly isGood: boolean; readonly text: string }>();
  const [isBusy, setBusy] = useState(false);
  const withRecentLogin = useRecentLogin();
  const tryOut = async () => {
    setBusy(true);
    setResult(undefined);
    try {
      const elapsed = await withRecentLogin(test);
      setResult({ isGood: true, text: `The ${what} answers; it took ${elapsed} ms.` });
    } catch (error) {
      setResult({ isGood: false, text: error instanceof Error ? error.message : String(error) });
    }
    setBusy(false);
  };
  return (
    <div className={styles.test}>
      <Button isDisabled={isBusy || isDisabled} onPress={() => void tryOut()}>
        Test
      </Button>
      <span role="status" className={result?.isGood === false ? styles.failed : styles.good}>
        {isBusy ? 'Trying it out…' : result?.text}
      </span>
    </div>
  );
}

/** Asks for a key of Hiera or a parameter of a class, and says where its value comes from. */

import { type FormEvent, type ReactElement, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/text-field.tsx';
import styles from './lookup-form.module.css';

interface LookupFormProps {
  /** What was asked for last. */
  readonly value: string;
  readonly onLookUp: (key: string) => void;
}

export function LookupForm({ onLookUp, value }: LookupFormProps): ReactElement {
  const [typed, setTyped] = useState(value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onLookUp(typed.trim());
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label="Look up a value"
        value={typed}
        placeholder="ntp::servers"
        hint="A Hiera key, or CLASS::PARAMETER."
        onChange={setTyped}
      />
      <Button type="submit" isDisabled={typed.trim() === ''}>
        Look up
      </Button>
    </form>
  );
}

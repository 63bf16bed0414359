/** The environment whose tasks or plans are shown. */

import { type ReactElement, useEffect, useRef, useState } from 'react';
import { TextField } from '../../ui/text-field.tsx';
import { useSettled } from '../../ui/use-settled.ts';

interface EnvironmentFieldProps {
  readonly value: string;
  readonly onChange: (environment: string) => void;
}

export function EnvironmentField({ onChange, value }: EnvironmentFieldProps): ReactElement {
  const [typed, setTyped] = useState(value);
  const settled = useSettled(typed.trim());
  const told = useRef(value);
  useEffect(() => {
    if (settled === told.current || settled === '') return;
    told.current = settled;
    onChange(settled);
  }, [settled, onChange]);
  const isName = /^\w*$/.test(typed.trim());
  return (
    <TextField
      label="Environment"
      value={typed}
      onChange={setTyped}
      mistake={isName ? undefined : 'Letters, digits and underscores'}
    />
  );
}

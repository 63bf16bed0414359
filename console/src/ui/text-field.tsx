/** Fields whose text the page holds: name above, what it means and what is wrong below. */

import { type ReactElement, type ReactNode, useId } from 'react';
import styles from './text-field.module.css';

interface ValueFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What it means. */
  readonly hint?: ReactNode;
  /** What is wrong with it. */
  readonly mistake?: string | undefined;
  readonly isRequired?: boolean;
}

interface TextFieldProps extends ValueFieldProps {
  /** `text` when absent. */
  readonly type?: 'text' | 'number' | 'password' | 'datetime-local';
  readonly placeholder?: string | undefined;
  /** What is offered while typing. */
  readonly suggestions?: readonly string[];
  /** More than one, where lines may be many. */
  readonly rows?: number;
  readonly isCode?: boolean;
}

export function TextField(props: TextFieldProps): ReactElement {
  const { hint, isCode = false, isRequired = false, label, mistake, onChange, placeholder, rows } = props;
  const { suggestions, type = 'text', value } = props;
  const id = useId();
  const common = {
    id,
    value,
    placeholder,
    required: isRequired,
    className: `${styles.field} ${isCode ? styles.code : ''}`,
    autoComplete: type === 'password' ? 'new-password' : 'off',
    spellCheck: false,
    'aria-invalid': mistake === undefined ? undefined : true,
    'aria-describedby': `${id}-hint`,
  };
  return (
    <Labelled id={id} label={label} hint={hint} mistake={mistake} isRequired={isRequired}>
      {rows === undefined ? (
        <input
          {...common}
          type={type}
          step={type === 'number' ? 'any' : undefined}
          list={suggestions === undefined ? undefined : `${id}-list`}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <textarea {...common} rows={rows} onChange={(event) => onChange(event.target.value)} />
      )}
      {suggestions === undefined ? undefined : (
        <datalist id={`${id}-list`}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </Labelled>
  );
}

interface ChoiceFieldProps<T extends string> extends Omit<ValueFieldProps, 'value' | 'onChange'> {
  readonly value: T;
  readonly options: readonly (readonly [value: T, title: string])[];
  readonly onChange: (value: T) => void;
}

export function ChoiceField<T extends string>(props: ChoiceFieldProps<T>): ReactElement {
  const { hint, isRequired = false, label, mistake, onChange, options, value } = props;
  const id = useId();
  const choose = (chosen: string) => {
    const found = options.find(([each]) => each === chosen);
    if (found !== undefined) onChange(found[0]);
  };
  return (
    <Labelled id={id} label={label} hint={hint} mistake={mistake} isRequired={isRequired}>
      <select
        id={id}
        className={styles.field}
        value={value}
        required={isRequired}
        aria-describedby={`${id}-hint`}
        onChange={(event) => choose(event.target.value)}
      >
        {options.map(([each, title]) => (
          <option key={each} value={each}>
            {title}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

interface LabelledProps extends Pick<ValueFieldProps, 'label' | 'hint' | 'mistake'> {
  readonly id: string;
  readonly isRequired: boolean;
  readonly children: ReactNode;
}

function Labelled({ children, hint, id, isRequired, label, mistake }: LabelledProps): ReactElement {
  return (
    <div className={styles.labelled}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {isRequired ? <span className={styles.required}> required</span> : undefined}
      </label>
      {children}
      <div id={`${id}-hint`} className={styles.hint}>
        {hint}
        {mistake === undefined ? undefined : <p className={styles.mistake}>{mistake}</p>}
      </div>
    </div>
  );
}

interface CheckFieldProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

export function CheckField({ isChecked, label, onChange }: CheckFieldProps): ReactElement {
  return (
    <label className={styles.check}>
      <input type="checkbox" checked={isChecked} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}

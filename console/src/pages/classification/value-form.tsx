/** Chooses a parameter and its value: documentation, a field by its type, and errors. */

import { type FormEvent, type ReactElement, useState } from 'react';
import type { KnownParameter } from '../../api/classifier.ts';
import { readTyped } from '../../lib/typed-parameter.ts';
import { editorOf } from '../../lib/value-editor.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceField, TextField } from '../../ui/text-field.tsx';
import styles from './page.module.css';

interface ValueFormProps {
  /** `undefined` for a class that the code doesn't have, and while it is not known which it has. */
  readonly parameters: Readonly<Record<string, KnownParameter>> | undefined;
  /** `Add parameter` */
  readonly action: string;
  readonly onAdd: (parameter: string, value: unknown) => void;
}

export function ValueForm({ action, onAdd, parameters }: ValueFormProps): ReactElement {
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const known =
    parameters !== undefined && Object.hasOwn(parameters, name.trim()) ? parameters[name.trim()] : undefined;
  const read = readTyped(known?.type, text);
  const isUnknown = parameters !== undefined && name.trim() !== '' && known === undefined;
  const mistake = text !== '' && read.kind === 'mistake' ? read.message : undefined;
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (read.kind !== 'value') return;
    onAdd(name.trim(), read.value);
    setName('');
    setText('');
  };
  return (
    <form className={styles.valueForm} onSubmit={add}>
      <TextField
        label="Parameter"
        value={name}
        onChange={setName}
        suggestions={Object.keys(parameters ?? {})}
        hint={known === undefined ? undefined : <Meaning parameter={known} />}
        mistake={isUnknown ? 'The class has no such parameter' : undefined}
      />
      <ValueField type={known?.type} text={text} mistake={mistake} onChange={setText} />
      <Button type="submit" isDisabled={name.trim() === '' || read.kind !== 'value'}>
        {action}
      </Button>
    </form>
  );
}

interface ValueFieldProps {
  readonly type: string | undefined;
  readonly text: string;
  readonly mistake: string | undefined;
  readonly onChange: (text: string) => void;
}

function ValueField({ mistake, onChange, text, type }: ValueFieldProps): ReactElement {
  const editor = editorOf(type ?? 'Any').editor;
  const options =
    editor.kind === 'boolean' ? ['true', 'false'] : editor.kind === 'choice' ? editor.options : undefined;
  if (options !== undefined)
    return (
      <ChoiceField
        label="Value"
        value={text}
        options={[['', 'Choose'], ...options.map((each) => [each, each] as const)]}
        onChange={onChange}
      />
    );
  return (
    <TextField
      label="Value"
      value={text}
      mistake={mistake}
      isCode={editor.kind === 'json'}
      onChange={onChange}
      {...(editor.kind === 'json'
        ? { placeholder: type?.includes('Array') === true ? '["one", "another"]' : '{"name": "value"}' }
        : {})}
    />
  );
}

function Meaning({ parameter }: { readonly parameter: KnownParameter }): ReactElement {
  const { default_text: defaultText, description, is_required: isRequired, type } = parameter;
  return (
    <p>
      {description === null ? '' : `${visibleText(description)} `}
      <code>{visibleText(type)}</code>
      {isRequired ? ', required' : `, default ${visibleText(defaultText ?? 'undef')}`}
    </p>
  );
}

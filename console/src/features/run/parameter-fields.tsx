/** A field for each parameter of a task or a plan, by its type. */

import type { ReactElement } from 'react';
import type { Texts } from '../../lib/parameter-texts.ts';
import { type Editor, editorOf, type Parameter, readValue } from '../../lib/value-editor.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { ChoiceField, TextField } from '../../ui/text-field.tsx';
import styles from './run.module.css';

interface ParameterFieldsProps {
  readonly parameters: readonly Parameter[];
  readonly texts: Texts;
  readonly onChange: (texts: Texts) => void;
}

export function ParameterFields({ onChange, parameters, texts }: ParameterFieldsProps): ReactElement {
  return (
    <>
      {parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          text={texts[parameter.name] ?? ''}
          onChange={(text) => onChange({ ...texts, [parameter.name]: text })}
        />
      ))}
    </>
  );
}

interface ParameterFieldProps {
  readonly parameter: Parameter;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

function ParameterField({ onChange, parameter, text }: ParameterFieldProps): ReactElement {
  const { defaultText, isRequired, isSensitive, name } = parameter;
  const { editor } = editorOf(parameter.type);
  const read = readValue(editor, text);
  const common = {
    label: visibleText(name),
    value: text,
    onChange,
    isRequired,
    hint: <Hint parameter={parameter} />,
    mistake: read.kind === 'mistake' ? read.message : undefined,
  };
  const options = optionsOf(editor);
  if (options !== undefined) {
    const none = defaultText === undefined ? 'Not set' : `Default: ${visibleText(defaultText)}`;
    return (
      <ChoiceField
        {...common}
        options={[['', isRequired ? 'Choose' : none], ...options.map((each) => [each, each] as const)]}
      />
    );
  }
  const isMultiline = editor.kind === 'json' && !isSensitive;
  return (
    <TextField
      {...common}
      type={isSensitive ? 'password' : editor.kind === 'number' ? 'number' : 'text'}
      placeholder={defaultText === undefined ? undefined : `Default: ${visibleText(defaultText)}`}
      isCode={editor.kind === 'json'}
      {...(isMultiline ? { rows: 3 } : {})}
    />
  );
}

function optionsOf(editor: Editor): readonly string[] | undefined {
  if (editor.kind === 'boolean') return ['true', 'false'];
  return editor.kind === 'choice' ? editor.options : undefined;
}

function Hint({ parameter: { description, isSensitive, type } }: { readonly parameter: Parameter }) {
  return (
    <p>
      {description === undefined ? '' : `${visibleText(description)} `}
      <code className={styles.type}>{visibleText(type)}</code>
      {isSensitive ? ' Sensitive: it is neither shown nor logged.' : ''}
    </p>
  );
}

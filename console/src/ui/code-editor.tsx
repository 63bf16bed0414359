/** An editor of code, by CodeMirror: in a file of its own that is fetched when a page needs it. */

import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { Annotation, EditorState } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { type ReactElement, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';

/** Colours by what a token is. */
const styleOfTokens = HighlightStyle.define([
  { tag: tags.string, color: 'var(--unchanged)' },
  { tag: tags.number, color: 'var(--noop)' },
  { tag: tags.keyword, color: 'var(--accent)', fontWeight: '600' },
  { tag: tags.typeName, color: 'var(--intentional)', fontWeight: '600' },
  { tag: tags.operator, color: 'var(--muted)' },
]);

const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--background)', color: 'var(--text)', fontSize: 'var(--table)' },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '.cm-scroller': { fontFamily: 'var(--code)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--text)', minHeight: '72px', padding: '8px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-tooltip': {
    border: '0',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--background)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--inset)',
    color: 'var(--text)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--failed)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--failed)',
    backgroundColor: 'var(--failed-tint)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--intentional-tint)',
  },
});

export interface CodeMistake {
  readonly offset: number;
  readonly message: string;
}

export interface CodeLanguage {
  /** The token at the beginning of a text. */
  readonly token: (text: string) => { readonly length: number; readonly kind: string | undefined };
  /** What can be written at the end of a text, and where the word begins that is being written. */
  readonly complete: (
    before: string,
  ) => Promise<{ readonly from: number; readonly words: readonly string[] } | undefined>;
}

interface CodeEditorProps {
  readonly label: string;
  /** Changes from outside replace what is written. */
  readonly value: string;
  readonly placeholder: string;
  readonly language: CodeLanguage;
  readonly mistake: CodeMistake | undefined;
  readonly onChange: (text: string) => void;
  /** Ctrl Enter. */
  readonly onRun: (text: string) => void;
}

export function CodeEditor(props: CodeEditorProps): ReactElement {
  const { mistake, value } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (place.current === null) return;
    const editor = createEditor(place.current, latest);
    view.current = editor;
    return () => {
      view.current = undefined;
      editor.destroy();
    };
  }, []);
  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || editor.state.doc.toString() === value) return;
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: value },
      annotations: fromOutside.of(true),
    });
  }, [value]);
  useEffect(() => {
    const editor = view.current;
    if (editor !== undefined) editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(editor, mistake)));
  }, [mistake]);
  return <div ref={place} />;
}

const fromOutside = Annotation.define<boolean>();

type Latest = { readonly current: CodeEditorProps };

function createEditor(parent: HTMLElement, latest: Latest): EditorView {
  const { label, language, placeholder: hint, value } = latest.current;
  const run = ({ state }: EditorView): boolean => {
    latest.current.onRun(state.doc.toString());
    return true;
  };
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
  return new EditorView({
    parent,
    doc: value,
    extensions: [
      EditorView.cspNonce.of(nonce),
      keymap.of([
        { key: 'Mod-Enter', run, preventDefault: true },
        ...completionKeymap,
        ...historyKeymap,
        ...defaultKeymap,
      ]),
      history(),
      closeBrackets(),
      EditorView.lineWrapping,
      placeholder(hint),
      languageOf(language),
      syntaxHighlighting(styleOfTokens),
      autocompletion({ override: [completionOf(language)], icons: false }),
      theme,
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged || update.transactions.some((each) => each.annotation(fromOutside))) return;
        // Render synchronously: a value that arrived later would overwrite newer text.
        flushSync(() => latest.current.onChange(update.state.doc.toString()));
      }),
      EditorState.tabSize.of(2),
    ],
  });
}

const tokenTags: Readonly<Record<string, string>> = { entity: 'typeName', field: 'variableName' };

function languageOf({ token }: CodeLanguage) {
  return StreamLanguage.define({
    token(stream) {
      const { kind, length } = token(stream.string.slice(stream.pos));
      stream.pos += Math.max(1, length);
      return kind === undefined ? null : (tokenTags[kind] ?? kind);
    },
  });
}

function completionOf({ complete }: CodeLanguage) {
  return async ({ explicit, pos, state }: CompletionContext): Promise<CompletionResult | null> => {
    const found = await complete(state.sliceDoc(0, pos));
    if (found === undefined || (!explicit && found.from === pos && state.sliceDoc(pos - 1, pos) !== '.'))
      return null;
    return { from: found.from, options: found.words.map((label) => ({ label })) };
  };
}

function diagnosticsOf({ state }: EditorView, mistake: CodeMistake | undefined): Diagnostic[] {
  if (mistake === undefined) return [];
  const from = Math.max(0, Math.min(mistake.offset, state.doc.length - 1));
  const to = Math.min(from + 1, state.doc.length);
  return [{ from, to, severity: 'error', message: mistake.message }];
}

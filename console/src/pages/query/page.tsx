/** Questions to PuppetDB in its query language: an editor, and the rows that it answers. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, type ReactElement, Suspense, useEffect, useMemo, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { CommandButton, pqlCommand } from '../../features/command-button.tsx';
import { PageHeader } from '../../features/page-header.tsx';
import { SavedViews, SaveView } from '../../features/saved-views.tsx';
import { mistakeOffset, mistakeText, pqlToken } from '../../lib/pql-words.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failure, LoadingRows } from '../../ui/states.tsx';
import { History, useHistory } from './history.tsx';
import styles from './page.module.css';
import { completions, pqlAnswer } from './queries.ts';
import { Result } from './result.tsx';

const CodeEditor = lazy(async () => {
  const { CodeEditor: editor } = await import('../../ui/code-editor.tsx');
  return { default: editor };
});

const route = getRouteApi('/query');

export function QueryPage(): ReactElement {
  const { pql = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState(pql);
  useEffect(() => setText(pql), [pql]);
  const [history, remember] = useHistory();
  const { refetch } = useQuery(pqlAnswer(pql === '' ? undefined : pql));
  const run = (asked: string) => {
    if (asked.trim() === '') return;
    remember(asked);
    if (asked === pql) void refetch();
    else void navigate({ search: { pql: asked } });
  };
  return (
    <>
      <PageHeader title="Query" />
      <Editor pql={pql} text={text} onChange={setText} onRun={run} />
      <Actions pql={pql} text={text} onRun={run} />
      <Answer pql={pql} />
      <SavedViews
        kind="query"
        title="Saved queries"
        render={({ content }, name) => (
          <Link to="/query" search={{ pql: content }}>
            {name}
          </Link>
        )}
      />
      <History history={history} onChoose={setText} />
    </>
  );
}

interface EditorProps {
  /** The query of the address. */
  readonly pql: string;
  /** What is written. */
  readonly text: string;
  readonly onRun: (text: string) => void;
}

function Editor({
  onChange,
  onRun,
  pql,
  text,
}: EditorProps & { readonly onChange: (text: string) => void }): ReactElement {
  const queries = useQueryClient();
  const { error } = useQuery(pqlAnswer(pql === '' ? undefined : pql));
  const language = useMemo(
    () => ({ token: pqlToken, complete: (before: string) => completions(queries, before) }),
    [queries],
  );
  const mistake = useMemo(() => {
    const offset = error === null ? undefined : mistakeOffset(error.message, pql);
    return offset === undefined || error === null
      ? undefined
      : { offset, message: mistakeText(error.message) };
  }, [error, pql]);
  return (
    <div className={styles.editor}>
      <Suspense fallback={<LoadingRows label="The editor is loading" rows={2} />}>
        <CodeEditor
          label="Query in PQL"
          value={text}
          placeholder={'nodes[certname] { latest_report_status = "failed" }'}
          language={language}
          mistake={mistake}
          onChange={onChange}
          onRun={onRun}
        />
      </Suspense>
    </div>
  );
}

function Actions({ onRun, pql, text }: EditorProps): ReactElement {
  const queries = useQueryClient();
  const { isFetching } = useQuery(pqlAnswer(pql === '' ? undefined : pql));
  return (
    <div className={styles.actions}>
      <Button look="primary" onPress={() => onRun(text)} isDisabled={text.trim() === ''}>
        Run
      </Button>
      {isFetching ? (
        <Button onPress={() => void queries.cancelQueries({ queryKey: ['pdb', 'pql', pql] })}>Cancel</Button>
      ) : undefined}
      <span className={styles.muted}>Ctrl Enter runs the query, Ctrl Space completes words.</span>
      <SaveView kind="query" content={text} label="Save query" />
      {pql === '' ? undefined : <CommandButton text={pqlCommand(pql, location.origin)} />}
    </div>
  );
}

function Answer({ pql }: { readonly pql: string }): ReactElement {
  const answer = useQuery(pqlAnswer(pql === '' ? undefined : pql));
  if (pql === '')
    return (
      <Empty title="No query yet">
        A query names an entity, its fields and conditions:{' '}
        <code>{'inventory[certname, facts.os.name] { facts.os.family = "Debian" }'}</code>
      </Empty>
    );
  if (answer.isFetching) return <LoadingRows label="The query runs" />;
  if (answer.isError)
    return (
      <Failure
        title="PuppetDB can’t answer this"
        error={isMistake(answer.error) ? mistakeText(answer.error.message) : answer.error}
        onRetry={() => void answer.refetch()}
      />
    );
  if (answer.data === undefined)
    return <Empty title="The query was cancelled">Run it again, or add conditions.</Empty>;
  return <Result answer={answer.data} pql={pql} />;
}

function isMistake(error: Error): boolean {
  return error instanceof ApiError && error.status === 400;
}

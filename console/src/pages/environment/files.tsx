/** The files of a version of the environment, to be read. */

import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { File, Folder } from 'lucide-react';
import { type ReactElement, useEffect, useRef } from 'react';
import { type CodePath, readCodePath } from '../../api/code.ts';
import { pathBelow, pathSteps } from '../../lib/code-path.ts';
import { bytesText } from '../../lib/servers.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './files.module.css';

const route = getRouteApi('/code/$environment');

function codePath(environment: string, commit: string | undefined, path: string): UseQueryOptions<CodePath> {
  return {
    queryKey: ['code', 'files', environment, commit, path],
    queryFn: ({ signal }) => readCodePath(environment, { commit, path }, signal),
  };
}

export function Files({ environment }: { readonly environment: string }): ReactElement {
  const { commit, path = '' } = route.useSearch();
  const found = useQuery(codePath(environment, commit, path));
  return (
    <section aria-label="Files" className={styles.files}>
      <Place path={path} commit={found.data?.commit} isServed={commit === undefined} />
      {found.data !== undefined ? (
        <Found found={found.data} />
      ) : isUnknown(found.error) ? (
        <Empty title="There is no such file in this version">
          <Link
            from="/code/$environment"
            to="/code/$environment"
            search={({ tab }) => ({ tab })}
            className={styles.link}
          >
            Go to the environment’s directory
          </Link>{' '}
          in the version in use.
        </Empty>
      ) : (
        <Pending query={found} what="The files" />
      )}
    </section>
  );
}

interface PlaceProps {
  readonly path: string;
  readonly commit: string | undefined;
  readonly isServed: boolean;
}

function Place({ commit, isServed, path }: PlaceProps): ReactElement {
  const { environment } = route.useParams();
  const steps = [{ name: environment, path: '' }, ...pathSteps(path)];
  return (
    <p className={styles.place}>
      <span>
        {steps.map((step, index) => (
          <span key={step.path}>
            {index === 0 ? undefined : ' / '}
            {index === steps.length - 1 ? (
              <strong>{visibleText(step.name)}</strong>
            ) : (
              <PathLink path={step.path}>{visibleText(step.name)}</PathLink>
            )}
          </span>
        ))}
      </span>
      {commit === undefined ? undefined : (
        <span className={styles.hint}>
          version <code title={commit}>{commit.slice(0, 12)}</code>
          {isServed ? ', in use' : ''}
        </span>
      )}
    </p>
  );
}

function PathLink({ children, path }: { readonly children: string; readonly path: string }): ReactElement {
  return (
    <Link
      from="/code/$environment"
      to="/code/$environment"
      search={(before) => ({ ...before, path: path === '' ? undefined : path, line: undefined })}
      className={styles.link}
    >
      {children}
    </Link>
  );
}

function Found({ found }: { readonly found: CodePath }): ReactElement {
  if (found.kind === 'file') return <Text found={found} />;
  if (found.entries.length === 0) return <Empty title="This directory is empty" />;
  return (
    <ul className={styles.entries}>
      {found.entries.map(({ bytes, kind, name }) => (
        <li key={name}>
          {kind === 'directory' ? (
            <Folder size={16} aria-label="Directory" />
          ) : (
            <File size={16} aria-hidden />
          )}
          <PathLink path={pathBelow(found.path, name)}>{visibleText(name)}</PathLink>
          <span className={styles.hint}>{kind === 'link' ? 'link' : sizeText(bytes)}</span>
        </li>
      ))}
    </ul>
  );
}

function sizeText(bytes: number | null): string {
  if (bytes === null) return '';
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} kB` : bytesText(bytes);
}

function Text({ found }: { readonly found: Extract<CodePath, { readonly kind: 'file' }> }): ReactElement {
  const { line: wanted } = route.useSearch();
  const marked = useRef<HTMLLIElement>(null);
  useEffect(() => marked.current?.scrollIntoView({ block: 'center' }), [wanted]);
  if (found.text === null)
    return (
      <Empty title="This file can’t be shown">
        It is not text, or larger than 1 MB: {sizeText(found.bytes)}.
      </Empty>
    );
  const lines = found.text.replace(/\n$/, '').split('\n');
  return (
    <>
      <div>
        <CopyButton label="Copy the file" isLabelled text={found.text} />
      </div>
      <ol className={styles.text}>
        {lines.map((text, index) => {
          const isMarked = String(index + 1) === wanted;
          return (
            <li key={index} ref={isMarked ? marked : undefined} className={isMarked ? styles.marked : ''}>
              <code>{visibleText(text)}</code>
            </li>
          );
        })}
      </ol>
    </>
  );
}

function isUnknown(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 404;
}

/** What has been asked for: outlines of rows while it loads, what is wrong, or what has come. */

import type { ReactElement } from 'react';
import { Failure, LoadingRows } from './states.tsx';

interface PendingProps {
  readonly query: {
    readonly isError: boolean;
    readonly error: unknown;
    readonly refetch: () => Promise<unknown>;
  };
  /** `The tasks`: they are loading, or can’t be shown. */
  readonly what: string;
  /** How many rows are likely to come. */
  readonly rows?: number;
}

/** Stands for what has not come. */
export function Pending({ query, rows = 6, what }: PendingProps): ReactElement {
  if (query.isError)
    return (
      <Failure title={`${what} can’t be shown`} error={query.error} onRetry={() => void query.refetch()} />
    );
  return <LoadingRows label={`${what} ${what.endsWith('s') ? 'are' : 'is'} loading`} rows={rows} />;
}

interface LoadedProps<T> extends PendingProps {
  /** An answer that has come stays, also when it could not be read again. */
  readonly query: PendingProps['query'] & { readonly data: T | undefined };
  readonly children: (data: T) => ReactElement;
}

export function Loaded<T>({ children, query, ...pending }: LoadedProps<T>): ReactElement {
  return query.data === undefined ? <Pending query={query} {...pending} /> : children(query.data);
}

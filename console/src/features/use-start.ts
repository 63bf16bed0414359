/** Starting a job from a page: once, however often the button is pressed or the connection breaks, and then to the page of the job. */

import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { startJob } from '../api/jobs.ts';

interface Start {
  readonly isBusy: boolean;
  readonly failure: unknown;
  /** @param path - `/command/deploy` */
  readonly start: (path: string, body: object) => Promise<void>;
}

/** @param onStarted - gets the number of the job; when absent, the browser opens its page */
export function useStart(onStarted?: (id: string) => void): Start {
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const last = useRef<{ readonly text: string; readonly key: string }>(undefined);
  const start = async (path: string, body: object) => {
    const text = JSON.stringify([path, body]);
    // The same again, after an answer that got lost, is the same job.
    if (last.current?.text !== text) last.current = { text, key: crypto.randomUUID() };
    setFailure(undefined);
    setBusy(true);
    try {
      const id = await startJob(path, body, last.current.key);
      last.current = undefined;
      if (onStarted === undefined) await navigate({ to: '/jobs/$id', params: { id } });
      else onStarted(id);
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  };
  return { isBusy, failure, start };
}

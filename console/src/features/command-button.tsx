/** The same request for a shell: a button, and an action of the palette. */

import type { ReactElement } from 'react';
import { apiCommand } from '../lib/api-command.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { usePageActions } from './page-actions.ts';

const label = 'Copy as command';

export function CommandButton({ text }: { readonly text: string }): ReactElement {
  usePageActions([{ title: label, act: () => copyText(text) }]);
  return <CopyButton text={text} label={label} isLabelled />;
}

/** A PuppetDB query as text, and the command that runs it. */
export function PqlButton({ pql }: { readonly pql: string }): ReactElement {
  usePageActions([{ title: label, act: () => copyText(pqlCommand(pql, location.origin)) }]);
  return <CopyButton text={pql} label="Copy as PQL" isLabelled />;
}

export function pqlCommand(pql: string, origin: string): string {
  return apiCommand({ method: 'GET', path: `/pdb/query/v4?${new URLSearchParams({ query: pql })}` }, origin);
}

/** Puts a text on the clipboard, where the browser allows it. */
export function copyText(text: string): void {
  navigator.clipboard.writeText(text).catch(() => {
    // not allowed: what the page shows can be selected
  });
}

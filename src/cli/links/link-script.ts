/** A link: a script of a few lines that calls this program. */

import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTextIfThere } from '../../lib/if-there.ts';
import type { LinkedCommand } from './link-names.ts';

const mark = "# Made by 'bunraku links install'.";

/** @param data - the folder of an installation that has one; the usual places when empty */
export function renderLink({ words }: LinkedCommand, program: string, data: string): string {
  const place = data === '' ? [] : [`[ -n "\${BUNRAKU_DATA+x}" ] || export BUNRAKU_DATA=${quoted(data)}`];
  const call = ['exec', quoted(program), words, '"$@"'].filter((word) => word !== '').join(' ');
  return `${['#!/bin/sh', mark, ...place, call].join('\n')}\n`;
}

/** Whether a file is one of ours; a file that does not exist is not. */
export function isLink(path: string): boolean {
  return readTextIfThere(path)?.includes(mark) === true;
}

/** The script that starts this program in the right Node. */
export function ownProgram(): string {
  return join(dirname(realpathSync(process.argv[1] ?? '')), '..', 'bin', 'bunraku');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

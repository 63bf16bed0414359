/** Causes of a change, in sentences. */

import { valueText } from './visible-text.ts';

export interface Cause {
  readonly kind: string;
  readonly certainty: 'sure' | 'likely' | 'possible';
}

const certaintyWords: Readonly<Record<Cause['certainty'], string>> = {
  sure: 'Certain',
  likely: 'Likely',
  possible: 'Possible',
};

/** How sure it is that this was the cause. */
export function certaintyText({ certainty }: Pick<Cause, 'certainty'>): string {
  return certaintyWords[certainty];
}

interface FileCause {
  readonly kind: string;
  readonly count: number;
  readonly is_declaration: boolean;
  readonly certainty: Cause['certainty'];
}

/** The files that differ between the two runs, by what they have to do with the resource. */
export function filesText({ certainty, count, is_declaration: isDeclaration, kind }: FileCause): string {
  const files = count === 1 ? '1 file' : `${count.toLocaleString('en')} files`;
  if (isDeclaration) return 'The code that declares the resource was changed';
  if (kind === 'data') return `Hiera data was changed: ${files}`;
  return certainty === 'likely'
    ? `Other code of the same module was changed: ${files}`
    : `Other code of the environment was changed: ${files}`;
}

export function factText(fact: string, before: unknown, after: unknown): string {
  return `The fact ${fact} was ${valueText(before)} and is ${valueText(after)}`;
}

export interface LineOfDiff {
  readonly sign: '+' | '-' | '@';
  readonly text: string;
}

/** The lines of a unified diff without lines around them. */
export function diffLines(text: string): readonly LineOfDiff[] {
  return text.split('\n').flatMap((line): readonly LineOfDiff[] => {
    if (line.startsWith('@@')) return [{ sign: '@', text: placeOfHunk(line) }];
    const sign = line[0];
    return sign === '+' || sign === '-' ? [{ sign, text: line.slice(1) }] : [];
  });
}

/** `@@ -7,2 +8 @@ class motd {` -> `line 8` */
function placeOfHunk(line: string): string {
  const [, first = '', count] = /\+(\d+)(?:,(\d+))?/.exec(line) ?? [];
  const last = Number(first) + Number(count ?? 1) - 1;
  return last > Number(first) ? `lines ${first} to ${last}` : `line ${first}`;
}

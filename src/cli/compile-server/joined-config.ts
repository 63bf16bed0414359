/** What joining writes into a compile server's configuration file: a block of its own, replaced when it joins again. */

import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import { ifThere } from '../../lib/if-there.ts';

const first = '# written by bunraku compile-server join';
const last = '# end of what bunraku compile-server join has written';

/** Names and values of settings. */
export type JoinedSettings = Readonly<Record<string, string>>;

/**
 * Puts the settings at the end, where they win over what stands before.
 *
 * @param shared - settings of the primary: those that the file says itself stay as they are
 * @returns false when the file is YAML and has content of its own: two values for one key are a mistake there
 */
export async function writeJoinedConfig(
  file: string,
  settings: JoinedSettings,
  shared: JoinedSettings = {},
): Promise<boolean> {
  const present = (await ifThere(readFile(file, 'utf8'))) ?? '';
  const own = withoutBlock(present);
  const isYaml = /\.ya?ml$/.test(file);
  if (isYaml && own.trim() !== '') return false;
  const separator = isYaml ? ':' : ' =';
  const others = Object.entries(shared).filter(([name]) => !(name in settings) && !isSetIn(own, name));
  const lines = [...Object.entries(settings), ...others].map(
    ([name, value]) => `${name}${separator} ${JSON.stringify(value)}`,
  );
  const block = [first, ...lines, last, ''].join('\n');
  const text = own === '' || own.endsWith('\n') ? own + block : `${own}\n${block}`;
  if (text === present) return true;
  await mkdir(dirname(file), { recursive: true });
  await writeFileAtomically(file, text);
  return true;
}

/** Whether a line of a file sets a setting, in any spelling of its name. */
function isSetIn(text: string, name: string): boolean {
  return new RegExp(`^\\s*["']?${name.replaceAll('_', '[-_]')}["']?\\s*[=:]`, 'im').test(text);
}

function withoutBlock(text: string): string {
  const start = text.indexOf(first);
  const end = text.indexOf(last);
  if (start < 0 || end < start) return text;
  return text.slice(0, start) + text.slice(end + last.length).replace(/^\n/, '');
}

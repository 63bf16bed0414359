/** `puppet.conf`: sections of `name = value` lines. */

import { type RawValue, SettingsError } from './raw-value.ts';

/** What a server reads, later sections win. */
const serverSections = ['main', 'master', 'server'];

/**
 * The values that hold for a server.
 *
 * @param file - its name, for messages
 * @throws SettingsError naming file and line
 */
export function parsePuppetConf(text: string, file: string): ReadonlyMap<string, RawValue> {
  const sections = new Map<string, Map<string, RawValue>>();
  let current = sectionOf(sections, 'main');
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const header = /^\[([:\w.-]+)\]$/.exec(line);
    const pair = /^(\w+)\s*=\s*(.*)$/.exec(line);
    if (header !== null) current = sectionOf(sections, header[1] ?? '');
    else if (pair !== null) {
      current.set(pair[1] ?? '', { text: withoutFileMode(pair[2] ?? ''), origin: `${file}:${index + 1}` });
    } else {
      throw new SettingsError([
        `Could not parse ${file}: Could not match line ${line} (file: ${file}, line: ${index + 1})`,
      ]);
    }
  }
  return new Map(serverSections.flatMap((name) => Array.from(sections.get(name) ?? [])));
}

function sectionOf(sections: Map<string, Map<string, RawValue>>, name: string): Map<string, RawValue> {
  const section = sections.get(name) ?? new Map<string, RawValue>();
  sections.set(name, section);
  return section;
}

/** Paths may be followed by `{owner = service, mode = 0771}`, which only the agent acts on. */
function withoutFileMode(value: string): string {
  return value.replace(/\s*\{\s*(owner|group|mode)\s*=[^}]*\}$/, '');
}

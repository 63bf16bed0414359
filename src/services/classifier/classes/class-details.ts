/** Documentation of a class: its comment, and type, default and comment of each parameter. */

import type { HostClassDefinition } from '../../../language/syntax/index.ts';
import { writtenText } from '../../../language/syntax/index.ts';

export interface ParameterDetails {
  /** As it is written; `Any` without one. */
  readonly type: string;
  readonly is_required: boolean;
  /** The default as it is written; null for parameters that have none. */
  readonly default_text: string | null;
  /** Null where the comment says nothing of it. */
  readonly description: string | null;
}

export interface ClassDetails {
  readonly description: string | null;
  /** In the order in which they are declared. */
  readonly parameters: Readonly<Record<string, ParameterDetails>>;
}

/** @param text - of the manifest */
export function classDetails({ offset, parameters }: HostClassDefinition, text: string): ClassDetails {
  const comment = commentBefore(text, offset);
  const { description, tags } = readComment(comment);
  const details = parameters.map(({ name, typeExpr, value }): [string, ParameterDetails] => [
    name,
    {
      type: typeExpr === undefined ? 'Any' : writtenText(typeExpr, text),
      is_required: value === undefined,
      default_text: value === undefined ? null : writtenText(value, text),
      description: tags.get(name) ?? null,
    },
  ]);
  return { description: description === '' ? null : description, parameters: Object.fromEntries(details) };
}

/** The lines of the comment that ends right above a definition. */
function commentBefore(text: string, offset: number): readonly string[] {
  const lines = text.slice(0, offset).split('\n').slice(0, -1);
  const found: string[] = [];
  for (const line of lines.toReversed()) {
    const comment = /^\s*#(.*)$/.exec(line)?.[1];
    if (comment === undefined) break;
    found.unshift(comment.replace(/^ /, ''));
  }
  return found;
}

/** A type in brackets may come before or after the name: the declaration has it as well. */
const tagPattern =
  /^@(\w+)\s*(?:\[(?:[^[\]]|\[[^\]]*\])*\]\s*)?(\S*)\s*(?:\[(?:[^[\]]|\[[^\]]*\])*\]\s*)?(.*)$/;

/** `@param NAME TEXT` with what follows it indented, as `puppet strings` reads it. Other tags are left out. */
function readComment(lines: readonly string[]): {
  readonly description: string;
  readonly tags: ReadonlyMap<string, string>;
} {
  const description: string[] = [];
  const tags = new Map<string, string>();
  let current: string | undefined = '';
  for (const line of lines) {
    const [, tag, name = '', rest = ''] = tagPattern.exec(line) ?? [];
    if (tag !== undefined) {
      current = tag === 'param' ? name : undefined;
      if (current !== undefined) tags.set(current, rest);
    } else if (current === '') description.push(line);
    else if (current !== undefined) tags.set(current, `${tags.get(current) ?? ''} ${line.trim()}`.trim());
  }
  return { description: description.join('\n').trim(), tags };
}

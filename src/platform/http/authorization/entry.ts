/** Entries of `allow` and `deny`: whom one of them means. */

import { LinearPattern } from '../../../lib/posix-pattern/index.ts';

/** Who asks, as far as entries look at it. */
export interface Subject {
  readonly certname: string;
  /** DNS names of the certificate: each is as good as the certname. */
  readonly dnsAltNames: readonly string[];
  readonly extensions: Readonly<Record<string, string>>;
}

/**
 * - `anybody`: `*`, any certificate of ours.
 * - `name`: a whole name, lower case; `suffix`: `*.example.net`, its labels from the right.
 * - `pattern`: `/regex/` found anywhere in the name.
 * - `backreference`: a text with `$1`, filled from the captures of the rule's path and then taken literally.
 * - `extensions`: all of them must be present with one of their values.
 * - `permission`: an RBAC permission, `type:action:instance`.
 */
export type Entry =
  | { readonly kind: 'anybody' }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'suffix'; readonly suffix: string }
  | { readonly kind: 'pattern'; readonly pattern: LinearPattern }
  | { readonly kind: 'backreference'; readonly template: string }
  | { readonly kind: 'extensions'; readonly required: ReadonlyMap<string, readonly string[]> }
  | { readonly kind: 'permission'; readonly permission: string };

/** @returns `undefined` when the text is none of the forms that an entry may have */
export function parseNameEntry(text: string): Entry | undefined {
  if (text === '*') return { kind: 'anybody' };
  if (/^(\w[-\w]*\.)+[-\w]+$/.test(text)) return { kind: 'name', name: text.toLowerCase() };
  if (/^\*(\.\w[-\w]*)+$/.test(text)) return { kind: 'suffix', suffix: text.slice(1).toLowerCase() };
  if (/\$\d/.test(text)) return { kind: 'backreference', template: text.toLowerCase() };
  if (/^\w[-.@\w]*$/.test(text)) return { kind: 'name', name: text };
  if (/^\/.*\/$/.test(text)) return { kind: 'pattern', pattern: compilePattern(text.slice(1, -1)) };
  return undefined;
}

/**
 * Whether an entry means the subject.
 *
 * A backreference is compared literally, so that a request for the name `*` matches no client.
 */
export function entryMatches(
  entry: Entry,
  subject: Subject,
  captures: readonly (string | undefined)[],
): boolean {
  switch (entry.kind) {
    case 'anybody':
      return true;
    case 'extensions':
      return hasExtensions(subject.extensions, entry.required);
    case 'permission':
      return false;
    default:
      return (
        nameMatches(entry, subject.certname, captures) ||
        subject.dnsAltNames.some((name) => nameMatches(entry, name, captures))
      );
  }
}

type NameEntry = Extract<Entry, { kind: 'name' | 'suffix' | 'pattern' | 'backreference' }>;

function nameMatches(entry: NameEntry, name: string, captures: readonly (string | undefined)[]): boolean {
  switch (entry.kind) {
    case 'name':
      return entry.name === name.toLowerCase();
    case 'suffix':
      // The bare domain counts too: the reference compares labels from the right.
      return name.toLowerCase().endsWith(entry.suffix) || name.toLowerCase() === entry.suffix.slice(1);
    case 'pattern':
      return entry.pattern.test(name);
    case 'backreference':
      return filled(entry.template, captures) === name.toLowerCase();
    default:
      return entry satisfies never;
  }
}

function filled(template: string, captures: readonly (string | undefined)[]): string {
  return template
    .replace(/\$(\d+)/g, (_, digits: string) => captures[Number(digits) - 1] ?? '')
    .toLowerCase();
}

function hasExtensions(
  actual: Readonly<Record<string, string>>,
  required: ReadonlyMap<string, readonly string[]>,
): boolean {
  for (const [name, values] of required) {
    const value = Object.hasOwn(actual, name) ? actual[name] : undefined;
    if (value === undefined || !values.includes(value)) return false;
  }
  return required.size > 0;
}

/**
 * Compiles a pattern of `auth.conf`, which is written for Java: a leading `(?i)`, `\A`, `\z` and `\Z` are understood.
 *
 * @throws SyntaxError for what JavaScript has no equivalent of
 */
export function compilePattern(source: string): LinearPattern {
  const isCaseless = source.startsWith('(?i)');
  const body = isCaseless ? source.slice(4) : source;
  const translated = body.replaceAll(/\\A/g, '^').replaceAll(/\\[zZ]/g, '$');
  return new LinearPattern(new RegExp(translated, isCaseless ? 'i' : ''));
}

/** Replaces what a profile says in commands of an archive, leaf by leaf; their shape stays. */

import { isReplaced, type LeafContext, type LeafKind, type Profile } from './profile.ts';
import type { Replacements } from './replacements.ts';

export type Members = Readonly<Record<string, unknown>>;

const noContext: LeafContext = {};

export class Anonymizer {
  private readonly profile: Profile;
  private readonly replacements: Replacements;

  constructor(profile: Profile, replacements: Replacements) {
    this.profile = profile;
    this.replacements = replacements;
  }

  leaf(kind: LeafKind, value: unknown, context: LeafContext = noContext): unknown {
    return isReplaced(this.profile, kind, context) ? this.replacements.of(kind, value) : value;
  }

  /** Members that are there. */
  members(
    from: Members,
    kinds: Readonly<Record<string, LeafKind>>,
    context: LeafContext = noContext,
  ): Members {
    return Object.fromEntries(
      Object.entries(kinds).flatMap(([name, kind]) =>
        Object.hasOwn(from, name) ? [[name, this.leaf(kind, from[name], context)]] : [],
      ),
    );
  }

  /** A name of a type: `apache::vhost` of a tag is `Apache::Vhost`. */
  lowerCaseType(name: string): string {
    const type = name
      .split('::')
      .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1).toLowerCase())
      .join('::');
    return String(this.leaf('type', type, { type })).toLowerCase();
  }

  tags(tags: unknown): unknown {
    return listOf(tags).map((tag) => this.lowerCaseType(String(tag)));
  }

  /** `File[/etc/motd]`, by the rules of its target. */
  reference(text: string): string {
    const [, type = null, title = null] = /^(.+)\[(.+)\]$/.exec(text) ?? [];
    return `${this.leaf('type', type, { type })}[${this.leaf('title', title, { type })}]`;
  }

  containmentPath(path: unknown): unknown {
    if (path === null) return null;
    return listOf(path).map((element) => {
      const text = String(element);
      if (text === '') return '';
      return text.includes('[') ? this.reference(text) : this.leaf('title', text, { type: 'Class' });
    });
  }
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

/** What the thread of Puppetfiles is given, and what it answers. */

import type { EncodedContent } from './puppetfile-content.ts';

export interface PuppetfileQuestion {
  readonly text: string;
  /** The file, where the built-in Ruby is to run it; absent when it is to be understood without Ruby. */
  readonly rubyPath?: string;
  /** What `ENV` has. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export type PuppetfileAnswer =
  | { readonly kind: 'content'; readonly content: EncodedContent }
  | { readonly kind: 'not-understood'; readonly message: string; readonly offset: number }
  | { readonly kind: 'mistake'; readonly message: string; readonly offset: number | undefined };

/** What the thread of Puppetfiles is given, and what it answers. */

import type { EncodedValue } from './encoded-value.ts';
import type { DeclaredModule } from './evaluate-puppetfile.ts';

export interface PuppetfileQuestion {
  readonly text: string;
  /** The file, where the built-in Ruby is to run it; absent when it is to be understood without Ruby. */
  readonly rubyPath?: string;
  /** What `ENV` has. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export type PuppetfileAnswer =
  | {
      readonly kind: 'content';
      readonly forge: string | undefined;
      readonly modules: readonly (Omit<DeclaredModule, 'args'> & { readonly args: EncodedValue })[];
    }
  | { readonly kind: 'not-understood'; readonly message: string; readonly offset: number }
  | { readonly kind: 'mistake'; readonly message: string; readonly offset: number | undefined };

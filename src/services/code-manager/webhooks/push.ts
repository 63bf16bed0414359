/** What a webhook says: that branches were changed. */

export interface Push {
  /** Branches that were changed or deleted. */
  readonly branches: readonly string[];
  /** Where the repository can be fetched from, as far as the body says. */
  readonly remotes: readonly string[];
}

/** One git host: how it writes bodies, and how it proves that it sent them. */
export interface WebhookKind {
  /** Of the query parameter `type`. */
  readonly names: readonly string[];
  /** @returns `undefined` for events that change no branch @throws ZodError when the body is something else */
  readonly decode: (body: unknown, headers: WebhookHeaders) => Push | undefined;
  readonly proof: WebhookProof;
}

export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>;

export type WebhookProof =
  /** HMAC-SHA256 of the body, hexadecimal. */
  | { readonly kind: 'signature'; readonly header: string; readonly prefix: string }
  /** The secret itself. */
  | { readonly kind: 'secret'; readonly header: string }
  /** The secret as the password of basic authentication. */
  | { readonly kind: 'basic' };

/** The branch of a whole reference; `undefined` for tags and others. */
export function branchOf(ref: string): string | undefined {
  return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined;
}

/** Those that are text. */
export function texts(...values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === 'string');
}

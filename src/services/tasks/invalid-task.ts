/** A task that exists but cannot be run: its metadata or its files are wrong. */

/** What went wrong, after `puppet.tasks/`. */
export type InvalidTaskKind =
  | 'invalid-metadata'
  | 'invalid-file'
  | 'missing-implementation'
  | 'multiple-implementations'
  | 'no-implementation'
  | 'unparseable-metadata'
  | 'unreadable-metadata';

export class InvalidTask extends Error {
  readonly kind: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, kind: InvalidTaskKind, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'InvalidTask';
    this.kind = `puppet.tasks/${kind}`;
    this.details = details;
  }
}

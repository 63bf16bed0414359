/** What tests of users give for directories. */

import type { Database } from '../../src/platform/storage/index.ts';
import type { DirectoryOptions } from '../../src/services/rbac/index.ts';

/** How long the answer of a directory counts in tests, and how long while it is away. */
export const refreshSeconds = 300;
export const graceSeconds = 3600;

/** The seal only hides: that what is sealed cannot be read is tested where the real one is. */
export function directoryOptions(database: Database): DirectoryOptions {
  return {
    database,
    seal: {
      close: (text) => Buffer.from(text).toString('hex'),
      open: (text) => Buffer.from(text, 'hex').toString(),
    },
    trustFile: undefined,
    refreshSeconds,
    graceSeconds,
    samlWorkerUrl: new URL('../../src/platform/saml/saml-worker.ts', import.meta.url),
  };
}

/** A file with one line for each change. It may be rotated: each time it is opened by its name. */

import { open } from 'node:fs/promises';
import { changeLine } from './change-line.ts';
import type { ChangeSink } from './sink.ts';

export function fileSink(path: string): ChangeSink {
  return {
    name: `file:${path}`,
    async send(changes) {
      const file = await open(path, 'a', 0o600);
      try {
        const { size } = await file.stat();
        try {
          await file.appendFile(changes.map((change) => `${changeLine(change)}\n`).join(''));
          await file.datasync();
        } catch (error) {
          // A disk that is full may have taken a part, which is written again.
          await file.truncate(size);
          throw error;
        }
      } finally {
        await file.close();
      }
    },
    close: () => {},
  };
}

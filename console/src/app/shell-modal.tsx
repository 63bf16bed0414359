/** A dialog of the shell: most visits need none. */

import { type ComponentProps, type ReactElement, Suspense } from 'react';
import type { Modal } from '../ui/modal.tsx';
import { lazyPart } from './lazy-part.ts';

const Loaded = lazyPart(async () => (await import('../ui/modal.tsx')).Modal);

export function ShellModal(props: ComponentProps<typeof Modal>): ReactElement {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}

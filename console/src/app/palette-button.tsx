/** Opens the palette: a button in the header, and Ctrl K everywhere. */

import { Search } from 'lucide-react';
import { type ReactElement, Suspense, useEffect, useState } from 'react';
import type { Session } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { lazyPart } from './lazy-part.ts';

const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette);

export function PaletteButton({ session }: { readonly session: Session }): ReactElement {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return (
    <>
      <Button look="quiet" label="Search (Ctrl K)" onPress={() => setOpen(true)}>
        <Search size={16} aria-hidden />
      </Button>
      {isOpen ? (
        <Suspense>
          <Palette session={session} onClose={() => setOpen(false)} />
        </Suspense>
      ) : undefined}
    </>
  );
}

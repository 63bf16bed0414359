/** Puts a text on the clipboard and says that it has. */

import { Check, Copy } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { Button } from './button.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** `Copy path`. */
  readonly label: string;
  /** With the label beside the icon; the icon alone when absent. */
  readonly isLabelled?: boolean;
}

const shownMs = 2000;

export function CopyButton({ isLabelled = false, label, text }: CopyButtonProps): ReactElement {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false), // not allowed: the text is on the screen, and can be selected
    );
  };
  const said = isCopied ? 'Copied' : label;
  return (
    <Button look="quiet" label={said} onPress={copy}>
      {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      {isLabelled ? said : undefined}
    </Button>
  );
}

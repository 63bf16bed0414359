/** A link for lists and trees. */

import { type RegisteredRouter, useRouter, type ValidateLinkOptions } from '@tanstack/react-router';
import type { MouseEvent, ReactElement, ReactNode } from 'react';

interface QuickLinkProps<Options> {
  /** `{ to: '/nodes', search: { q: 'web' } }` */
  readonly link: ValidateLinkOptions<RegisteredRouter, Options>;
  readonly children: ReactNode;
  readonly className?: string | undefined;
  /** Where the text alone does not say where it leads. */
  readonly label?: string;
  readonly title?: string;
  /** Whether it leads to the page, or to the part of the page, that is shown. */
  readonly current?: 'page' | 'true' | undefined;
}

/**
 * Goes where a `Link` of the router goes. A `Link` looks at each change of the address whether it leads to the current page, and
 * hundreds of them make a click slow; this one does not know whether it is current.
 */
export function QuickLink<const Options>({
  children,
  className,
  current,
  label,
  link,
  title,
}: QuickLinkProps<Options>): ReactElement {
  const router = useRouter();
  const target = link as Parameters<typeof router.buildLocation>[0];
  const follow = (event: MouseEvent) => {
    // The browser opens another tab or window by itself.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate(target);
  };
  const prepare = () => void router.preloadRoute(target).catch(() => undefined);
  return (
    <a
      href={router.history.createHref(router.buildLocation(target).href)}
      className={className}
      aria-label={label}
      aria-current={current}
      title={title}
      onClick={follow}
      onFocus={prepare}
      onPointerEnter={prepare}
    >
      {children}
    </a>
  );
}

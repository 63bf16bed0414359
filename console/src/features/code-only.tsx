/** Pages of code, where the primary deploys from control repositories. */

import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { maySeeCode, maySeeServers } from '../api/session.ts';
import { visibleText } from '../lib/visible-text.ts';
import { FactList } from '../ui/fact-list.tsx';
import { Empty } from '../ui/states.tsx';
import { infrastructure } from './server-queries.ts';
import { useSession } from './session.ts';

export function CodeOnly({ children }: { readonly children: ReactNode }): ReactElement {
  const session = useSession();
  if (!maySeeCode(session))
    return (
      <Empty title="You may not see this page">
        It needs the permission <code>environment:deploy_code</code>.
      </Empty>
    );
  if (session.features.includes('code')) return <>{children}</>;
  return (
    <>
      <Empty title="No control repository">
        Name one in <code>r10k.yaml</code> and restart the primary to see deploys and versions here. Without a
        control repository, put code into the staging directory and run <code>bunraku code commit</code>.
      </Empty>
      {maySeeServers(session) ? <ServedCode /> : undefined}
    </>
  );
}

/** The page of an installation whose code is committed by hand. */
function ServedCode(): ReactElement | undefined {
  const { data } = useQuery(infrastructure());
  const code = Object.entries(data?.servers[0]?.code ?? {});
  if (code.length === 0) return undefined;
  return (
    <section aria-label="Environments">
      <h2>Served now</h2>
      <FactList
        facts={code.map(([name, commit]) => ({
          name: visibleText(name),
          value: commit.slice(0, 12),
          isCode: true,
        }))}
      />
    </section>
  );
}

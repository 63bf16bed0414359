/** Two nodes beside each other, or one node in two environments: what differs in their catalogs, facts or packages. */

import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { PageHeader } from '../../features/page-header.tsx';
import { Empty } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { CatalogDifferences } from './catalog-differences.tsx';
import { nodeLeaves, nodePackages } from './queries.ts';
import { compareKinds, readSide } from './search.ts';
import { Sides } from './sides.tsx';
import { ValueDifferences } from './value-differences.tsx';

const route = getRouteApi('/compare');

const titles = { catalog: 'Catalogs', facts: 'Facts', packages: 'Packages' } as const;

export function ComparePage(): ReactElement {
  const { kind = 'catalog' } = route.useSearch();
  const navigate = route.useNavigate();
  const select = (id: string) => {
    const chosen = compareKinds.find((each) => each === id);
    void navigate({
      search: (before) => ({ ...before, find: undefined, kind: chosen === 'catalog' ? undefined : chosen }),
    });
  };
  return (
    <>
      <PageHeader title="Compare">
        <Sides />
      </PageHeader>
      <Tabs
        label="What is compared"
        selected={kind}
        onSelect={select}
        tabs={compareKinds.map((id) => ({ id, title: titles[id], render: () => <Comparison /> }))}
      />
    </>
  );
}

function Comparison(): ReactElement {
  const { kind = 'catalog', left, right } = route.useSearch();
  if (left === undefined || right === undefined)
    return (
      <Empty title="Choose two nodes">
        Their catalogs, facts and packages are compared. Catalogs can also be those of one node in two
        environments.
      </Empty>
    );
  if (kind === 'catalog') return <CatalogDifferences left={left} right={right} />;
  const read = kind === 'facts' ? nodeLeaves : nodePackages;
  return (
    <ValueDifferences
      what={kind === 'facts' ? 'fact' : 'package'}
      left={{ certname: readSide(left).certname, read }}
      right={{ certname: readSide(right).certname, read }}
    />
  );
}

/** What differs between two catalogs: resources, their parameters, edges. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useCallback } from 'react';
import type { CatalogDiff } from '../../api/fleet.ts';
import { CommandButton } from '../../features/command-button.tsx';
import { apiCommand } from '../../lib/api-command.ts';
import { commitOf } from '../../lib/code-version.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty, Failure, LoadingRows } from '../../ui/states.tsx';
import { ChangedResource, WholeResource } from './differing-resource.tsx';
import styles from './page.module.css';
import { catalogDiff, catalogQuestion } from './queries.ts';

const route = getRouteApi('/compare');

interface CatalogDifferencesProps {
  readonly left: string;
  readonly right: string;
}

export function CatalogDifferences({ left, right }: CatalogDifferencesProps): ReactElement {
  const diff = useQuery(catalogDiff(left, right));
  if (diff.data === undefined)
    return diff.isError ? (
      <Failure
        title="The catalogs can’t be compared"
        error={diff.error}
        onRetry={() => void diff.refetch()}
      />
    ) : (
      <LoadingRows label="The catalogs are compared" />
    );
  return (
    <>
      <div className={styles.origins}>
        <Origin title="Left" side={diff.data.left} />
        <Origin title="Right" side={diff.data.right} />
      </div>
      {diff.data.is_same ? (
        <Empty title="The catalogs are the same">Their resources, parameters and relations are equal.</Empty>
      ) : (
        <Differences diff={diff.data} sides={{ left, right }} />
      )}
    </>
  );
}

function Origin({
  side,
  title,
}: {
  readonly title: string;
  readonly side: CatalogDiff['left'];
}): ReactElement {
  const { certname, code_id: codeId, environment, resources, time } = side;
  return (
    <p className={styles.origin}>
      <strong>
        {title}: {certname}
      </strong>{' '}
      in {environment}, {resources.toLocaleString()} resources, compiled <Age time={time} />
      {codeId === null ? '' : `, code version ${commitOf(codeId)}`}
    </p>
  );
}

interface DifferencesProps {
  readonly diff: CatalogDiff;
  readonly sides: CatalogDifferencesProps;
}

function Differences({ diff, sides }: DifferencesProps): ReactElement {
  const { find = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const search = useCallback(
    (text: string) =>
      void navigate({ search: (before) => ({ ...before, find: text.trim() || undefined }), replace: true }),
    [navigate],
  );
  const sections = sectionsOf(diff, find.toLowerCase());
  return (
    <>
      <div className={styles.filter}>
        <SearchField
          label="Search differences"
          value={find}
          placeholder="Part of a type or title"
          onChange={search}
        />
        <CommandButton
          text={apiCommand(
            {
              method: 'POST',
              path: '/console-api/v1/catalogs/diff',
              body: catalogQuestion(sides.left, sides.right),
            },
            location.origin,
          )}
        />
      </div>
      {sections.map(({ items, title }) => (
        <Section key={title} title={title} items={items} />
      ))}
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly items: readonly Item[];
}

/** @param wanted - text to search for, in lower case */
function sectionsOf(diff: CatalogDiff, wanted: string): readonly SectionProps[] {
  const matches = (reference: string) => reference.toLowerCase().includes(wanted);
  const { added, changed, removed } = diff.resources;
  return [
    {
      title: 'Changed',
      items: changed
        .filter(({ reference }) => matches(reference))
        .map((each) => ({
          key: each.reference,
          isNoise: each.changes.every(({ is_noise: isNoise }) => isNoise),
          node: <ChangedResource resource={each} />,
        })),
    },
    { title: 'Only left', items: wholeItems(removed, matches, '-') },
    { title: 'Only right', items: wholeItems(added, matches, '+') },
    { title: 'Relations', items: relationItems(diff, matches) },
  ];
}

function relationItems({ edges }: CatalogDiff, matches: (text: string) => boolean): readonly Item[] {
  const signed = [
    ...edges.removed.map((each) => ({ ...each, sign: '-' as const })),
    ...edges.added.map((each) => ({ ...each, sign: '+' as const })),
  ];
  return signed
    .filter(({ edge }) => matches(edge))
    .map(({ edge, is_noise: isNoise, sign }) => ({
      key: sign + edge,
      isNoise,
      node: (
        <p className={sign === '-' ? styles.removed : styles.added}>
          <code>{`${sign} ${visibleText(edge)}`}</code>
        </p>
      ),
    }));
}

function wholeItems(
  resources: CatalogDiff['resources']['added'],
  matches: (reference: string) => boolean,
  sign: '+' | '-',
): readonly Item[] {
  return resources
    .filter(({ reference }) => matches(reference))
    .map((each) => ({
      key: each.reference,
      isNoise: each.is_noise,
      node: <WholeResource resource={each} sign={sign} />,
    }));
}

interface Item {
  readonly key: string;
  /** It only repeats the names of the nodes. */
  readonly isNoise: boolean;
  readonly node: ReactNode;
}

/** More would make the page slow; the search finds the others. */
const shownItems = 200;

function Section({ items, title }: SectionProps): ReactElement | undefined {
  if (items.length === 0) return undefined;
  const [meant, noise] = [items.filter(({ isNoise }) => !isNoise), items.filter(({ isNoise }) => isNoise)];
  return (
    <section aria-label={title} className={styles.section}>
      <h2>
        {title} <span className={styles.muted}>{items.length.toLocaleString()}</span>
      </h2>
      <Items items={meant} />
      {noise.length === 0 ? undefined : (
        <details>
          <summary className={styles.fold}>
            {noise.length.toLocaleString()} that differ only in the node names
          </summary>
          <Items items={noise} />
        </details>
      )}
    </section>
  );
}

function Items({ items }: { readonly items: readonly Item[] }): ReactElement {
  return (
    <>
      <ul>
        {items.slice(0, shownItems).map(({ key, node }) => (
          <li key={key}>{node}</li>
        ))}
      </ul>
      {items.length > shownItems ? (
        <p className={styles.muted}>
          {(items.length - shownItems).toLocaleString()} more; search for part of their type or title.
        </p>
      ) : undefined}
    </>
  );
}

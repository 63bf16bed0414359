/** Catalog differences of a few nodes, compiled with the groups before and after the edits. */

import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { GroupCatalogs, GroupChanges } from '../../api/classifier.ts';
import { mayDo } from '../../api/session.ts';
import { useSession } from '../../features/session.ts';
import { valueText, visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Failure, LoadingRows } from '../../ui/states.tsx';
import barStyles from './commit-bar.module.css';
import styles from './page.module.css';
import { groupCatalogs } from './queries.ts';

interface CatalogSamplesProps {
  readonly changes: GroupChanges;
  /** Nodes that change; the first of them are compiled. */
  readonly certnames: readonly string[];
}

const mostNodes = 5;

export function CatalogSamples({ certnames, changes }: CatalogSamplesProps): ReactElement | undefined {
  const [isWanted, setWanted] = useState(false);
  const some = certnames.slice(0, mostNodes);
  const result = useQuery({ ...groupCatalogs(changes, some), enabled: isWanted });
  const isAllowed = mayDo(useSession(), 'puppetserver', 'compile_catalogs');
  if (some.length === 0 || !isAllowed) return undefined;
  if (!isWanted)
    return (
      <div>
        <Button onPress={() => setWanted(true)}>
          {some.length === 1
            ? 'Compare the catalog of 1 node'
            : `Compare the catalogs of ${some.length} nodes`}
        </Button>
      </div>
    );
  return (
    <section aria-label="Catalog differences">
      <h3>Catalog differences</h3>
      {result.data !== undefined ? (
        result.data.samples.map((sample) => <Sample key={sample.certname} sample={sample} />)
      ) : result.isError ? (
        <Failure title="The catalogs can’t be compared" error={result.error} />
      ) : (
        <LoadingRows label="The catalogs are compiled" rows={2} />
      )}
    </section>
  );
}

function Sample({ sample }: { readonly sample: GroupCatalogs['samples'][number] }): ReactElement {
  const { added, certname, changed, error, removed } = sample;
  const isSame = added.length + changed.length + removed.length === 0;
  return (
    <>
      <h4>{visibleText(certname)}</h4>
      {error === null ? undefined : <p className={styles.warning}>{visibleText(error)}</p>}
      {error === null && isSame ? <p className={styles.hint}>Its catalog stays the same.</p> : undefined}
      <ul className={barStyles.sentences}>
        {added.map((reference) => (
          <li key={`+${reference}`}>
            <code>{visibleText(`+ ${reference}`)}</code>
          </li>
        ))}
        {removed.map((reference) => (
          <li key={`-${reference}`}>
            <code>{visibleText(`- ${reference}`)}</code>
          </li>
        ))}
        {changed.flatMap(({ changes, reference }) =>
          changes.map(({ after, before, name }) => (
            <li key={`${reference} ${name}`}>
              <code>{visibleText(reference)}</code> {visibleText(name)}: <code>{valueText(before)}</code> to{' '}
              <code>{valueText(after)}</code>
            </li>
          )),
        )}
      </ul>
    </>
  );
}

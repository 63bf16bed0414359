/** One resource that differs: what it has on each side. */

import type { ReactElement } from 'react';
import type { CatalogDiff } from '../../api/fleet.ts';
import { foldedDiff, lineDiff } from '../../lib/line-diff.ts';
import { valueText, visibleText } from '../../lib/visible-text.ts';
import styles from './page.module.css';

type Changed = CatalogDiff['resources']['changed'][number];

export function ChangedResource({ resource }: { readonly resource: Changed }): ReactElement {
  return (
    <div className={styles.resource}>
      <h3>
        <code>{visibleText(resource.reference)}</code>
      </h3>
      <dl className={styles.parameters}>
        {resource.changes.map((change) => (
          <div key={change.name}>
            <dt>{visibleText(change.name)}</dt>
            <dd>
              <Change change={change} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Change({ change }: { readonly change: Changed['changes'][number] }): ReactElement {
  const { after, before } = change;
  if (typeof before === 'string' && typeof after === 'string' && /\n/.test(before + after))
    return <TextDiff left={before} right={after} />;
  return (
    <>
      {'before' in change ? <Line sign="-" text={valueText(before)} /> : undefined}
      {'after' in change ? <Line sign="+" text={valueText(after)} /> : undefined}
    </>
  );
}

/** Contents of files, line by line. */
function TextDiff({ left, right }: { readonly left: string; readonly right: string }): ReactElement {
  return (
    <>
      {foldedDiff(lineDiff(left, right)).map((line, index) =>
        line === undefined ? (
          <p key={index} className={styles.muted}>
            …
          </p>
        ) : (
          <Line key={index} sign={line.sign} text={visibleText(line.text)} />
        ),
      )}
    </>
  );
}

const looks = { '-': styles.removed, '+': styles.added, ' ': undefined } as const;

function Line({ sign, text }: { readonly sign: '+' | '-' | ' '; readonly text: string }): ReactElement {
  return (
    <p className={looks[sign]}>
      <code className={styles.code}>{`${sign} ${text}`}</code>
    </p>
  );
}

interface WholeResourceProps {
  readonly resource: CatalogDiff['resources']['added'][number];
  readonly sign: '+' | '-';
}

/** A resource that only one side has: its parameters are there when somebody looks at it. */
export function WholeResource({ resource, sign }: WholeResourceProps): ReactElement {
  const names = Object.keys(resource.parameters).toSorted();
  return (
    <details className={styles.resource}>
      <summary className={`${styles.fold} ${looks[sign]}`}>
        <code>{`${sign} ${visibleText(resource.reference)}`}</code>
      </summary>
      <dl className={styles.parameters}>
        {names.length === 0 ? 'It has no parameters.' : undefined}
        {names.map((name) => (
          <div key={name}>
            <dt>{visibleText(name)}</dt>
            <dd>
              <code className={styles.code}>{valueText(resource.parameters[name])}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

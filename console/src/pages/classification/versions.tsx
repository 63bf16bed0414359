/** A conflict: both versions of a group side by side, and the merged one. */

import { type ReactElement, useState } from 'react';
import type { EditConflict } from '../../lib/group-drafts.ts';
import type { GroupDefinition } from '../../lib/group-edits.ts';
import { ruleText } from '../../lib/group-rule.ts';
import {
  mergedVersions,
  partName,
  type Side,
  type VersionDifference,
  versionDifferences,
} from '../../lib/group-versions.ts';
import { valueText, visibleText } from '../../lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import type { GroupDrafts } from './draft.ts';
import styles from './versions.module.css';

interface VersionsProps {
  readonly conflict: EditConflict;
  readonly drafts: GroupDrafts;
}

export function Versions({ conflict, drafts }: VersionsProps): ReactElement {
  const { base, mine, theirs } = conflict;
  const resolve = (group: GroupDefinition | undefined) => drafts.resolve(conflict, group);
  if (theirs === undefined) {
    const { serial_number: _, ...added } = mine;
    return (
      <section aria-label="Changed meanwhile" className={styles.versions}>
        <h3>Another user has deleted this group</h3>
        <div className={styles.actions}>
          <Button look="primary" onPress={() => resolve(added)}>
            Add it again
          </Button>
          <Button onPress={() => resolve(undefined)}>Forget my edits</Button>
        </div>
      </section>
    );
  }
  return <Both base={base} mine={mine} theirs={theirs} groups={drafts.groups} onResolve={resolve} />;
}

interface BothProps {
  readonly base: GroupDefinition;
  readonly mine: GroupDefinition;
  readonly theirs: GroupDefinition;
  readonly groups: readonly GroupDefinition[];
  readonly onResolve: (group: GroupDefinition | undefined) => void;
}

function Both({ base, groups, mine, onResolve, theirs }: BothProps): ReactElement {
  const differences = versionDifferences(base, mine, theirs);
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const choice = ({ path }: VersionDifference): Side => chosen[keyOf(path)] ?? 'mine';
  const { serial_number: serial } = theirs;
  const contested = differences.filter(({ changedBy }) => changedBy === 'both').length;
  return (
    <section aria-label="Changed meanwhile" className={styles.versions}>
      <h3>Another user has changed this group meanwhile</h3>
      <p>
        {contested === 0
          ? 'Both of you changed different parts: they can be merged.'
          : 'Choose which version to keep where both of you changed the same part.'}
      </p>
      <table className={styles.differences}>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Yours</th>
            <th scope="col">Theirs</th>
            <th scope="col">Keep</th>
          </tr>
        </thead>
        <tbody>
          {differences.map((difference) => (
            <Row
              key={keyOf(difference.path)}
              difference={difference}
              groups={groups}
              choice={choice(difference)}
              onChoose={(side) => setChosen((before) => ({ ...before, [keyOf(difference.path)]: side }))}
            />
          ))}
        </tbody>
      </table>
      <div className={styles.actions}>
        <Button look="primary" onPress={() => onResolve(mergedVersions(base, mine, theirs, choice))}>
          Merge both
        </Button>
        <Button
          onPress={() => onResolve({ ...mine, ...(serial === undefined ? {} : { serial_number: serial }) })}
        >
          Keep all of mine
        </Button>
        <Button onPress={() => onResolve(undefined)}>Take all of theirs</Button>
      </div>
    </section>
  );
}

interface RowProps {
  readonly difference: VersionDifference;
  readonly groups: readonly GroupDefinition[];
  readonly choice: Side;
  readonly onChoose: (side: Side) => void;
}

function Row({ choice, difference, groups, onChoose }: RowProps): ReactElement {
  const { changedBy, mine, path, theirs } = difference;
  const name = visibleText(partName(path));
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{partText(path, mine, groups)}</td>
      <td>{partText(path, theirs, groups)}</td>
      <td>
        {changedBy === 'both' ? (
          <Select label={`Keep of ${name}`} value={choice} options={sides} onChange={onChoose} />
        ) : changedBy === 'mine' ? (
          'yours'
        ) : (
          'theirs'
        )}
      </td>
    </tr>
  );
}

const sides: readonly (readonly [Side, string])[] = [
  ['mine', 'Yours'],
  ['theirs', 'Theirs'],
];

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** A part of a version of a group; pins, parents and rules in words. */
export function partText(
  [kind]: readonly string[],
  value: unknown,
  groups: readonly GroupDefinition[],
): string | ReactElement {
  if (kind === 'pins') return value === true ? 'pinned' : 'not pinned';
  if (kind === 'parent') return visibleText(groups.find(({ id }) => id === value)?.name ?? String(value));
  if (kind === 'comparisons') {
    const comparisons = value as readonly unknown[];
    return comparisons.length === 0 ? 'none' : <code>{visibleText(ruleText(['or', ...comparisons]))}</code>;
  }
  return value === undefined ? 'nothing' : <code>{valueText(value)}</code>;
}

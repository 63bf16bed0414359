/** Pins the selected nodes to a group, after saying which nodes it changes. */

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { type ChangedGroup, changeGroups, type GroupRow, previewGroups } from '../../api/classifier.ts';
import { groupOptions, groupRows } from '../../features/group-choice.ts';
import { useChange } from '../../features/use-change.ts';
import { definitionOf, type GroupDefinition } from '../../lib/group-edits.ts';
import { pinsOf, withPin } from '../../lib/group-rule.ts';
import { nodesText } from '../../lib/jobs.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure, LoadingRows } from '../../ui/states.tsx';
import { ChoiceField } from '../../ui/text-field.tsx';

interface PinQuestionProps {
  readonly names: readonly string[];
  readonly onClose: () => void;
}

export function PinQuestion({ names, onClose }: PinQuestionProps): ReactElement {
  const { data: groups = [] } = useQuery(groupRows());
  const [id, setId] = useState('');
  const group = groups.find((each) => each.id === id);
  const added = group === undefined ? [] : names.filter((name) => !pinsOf(group.rule).includes(name));
  const changed = group === undefined || added.length === 0 ? undefined : pinnedGroup(group, added);
  const preview = usePreview(changed, added);
  const { failure, isBusy, run } = useChange('classifier');
  const pin = async () => {
    if (changed !== undefined && (await run(() => changeGroups({ groups: [changed] })))) onClose();
  };
  const mayPin =
    preview.data !== undefined && preview.data.refused === undefined && !preview.isPlaceholderData;
  return (
    <Dialog
      title="Pin to group"
      action={`Pin ${nodesText(added.length)}`}
      isDisabled={isBusy || changed === undefined || !mayPin}
      failure={failure}
      onAct={() => void pin()}
      onClose={onClose}
    >
      <p>
        {names.slice(0, 8).map(visibleText).join(', ') +
          (names.length > 8 ? ` and ${names.length - 8} more` : '')}
      </p>
      <ChoiceField label="Node group" value={id} options={groupOptions(groups)} onChange={setId} />
      <div role="status">
        {group === undefined ? undefined : changed === undefined ? (
          <p>All of them are pinned to this group already.</p>
        ) : preview.isError ? (
          <Failure title="This can’t be done" error={preview.error} />
        ) : preview.data === undefined || preview.isPlaceholderData ? (
          <LoadingRows label="The nodes that change are counted" rows={1} />
        ) : (
          <Effect nodes={preview.data.nodes} refused={preview.data.refused} />
        )}
      </div>
    </Dialog>
  );
}

function usePreview(changed: ChangedGroup | undefined, added: readonly string[]) {
  return useQuery({
    queryKey: ['pin-preview', changed?.id, changed?.serial_number, added],
    queryFn: ({ signal }) => previewGroups({ groups: changed === undefined ? [] : [changed] }, signal),
    enabled: changed !== undefined,
    placeholderData: keepPreviousData,
    // Never refetched: after the change, the same preview is refused.
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  });
}

interface EffectProps {
  readonly nodes: readonly { readonly name: string; readonly after: { readonly error?: string } }[];
  readonly refused: unknown;
}

function Effect({ nodes, refused }: EffectProps): ReactElement {
  const conflicts = nodes.filter(({ after }) => after.error !== undefined);
  return (
    <>
      <p>{nodes.length === 1 ? '1 node changes' : `${nodes.length} nodes change`}.</p>
      {conflicts.length === 0 ? undefined : (
        <p>{`In conflict: ${conflicts.map(({ name }) => visibleText(name)).join(', ')}`}</p>
      )}
      {refused === undefined ? undefined : <p>You may not pin nodes to this group.</p>}
    </>
  );
}

function pinnedGroup(row: GroupRow, names: readonly string[]): GroupDefinition {
  return { ...definitionOf(row), rule: names.reduce<unknown>((rule, node) => withPin(rule, node), row.rule) };
}

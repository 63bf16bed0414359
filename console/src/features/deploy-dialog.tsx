/** Deploys environments. First shows which ones, and how many nodes use them. */

import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { deploy, deployPath, type KnownBranch, readBranches } from '../api/code.ts';
import { queryNodes } from '../api/nodes.ts';
import { mayDo } from '../api/session.ts';
import { apiCommand } from '../lib/api-command.ts';
import { termText } from '../lib/filter-terms.ts';
import { visibleText } from '../lib/visible-text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/states.tsx';
import { CheckField, ChoiceField } from '../ui/text-field.tsx';
import { CommandButton } from './command-button.tsx';
import { useSession } from './session.ts';
import { useChange } from './use-change.ts';

/** How many nodes ran with an environment at last. */
export function nodesIn(environment: string, isEnabled: boolean): UseQueryOptions<number> {
  return {
    queryKey: ['console', 'nodes-in', environment],
    enabled: isEnabled,
    async queryFn({ signal }) {
      const { total } = await queryNodes({ q: termText('environment', environment), limit: 1 }, signal);
      return total;
    },
  };
}

const branchesQuery: UseQueryOptions<readonly KnownBranch[]> = {
  queryKey: ['code', 'branches'],
  retry: false,
  queryFn: () => readBranches(),
};

interface DeployDialogProps {
  /** Chosen already; absent where one is chosen here. */
  readonly environment?: string;
  readonly onClose: () => void;
}

export function DeployDialog({ environment, onClose }: DeployDialogProps): ReactElement {
  const [chosen, setChosen] = useState(environment ?? '');
  const [isChecked, setChecked] = useState(false);
  const { failure, isBusy, run } = useChange('code');
  const order = {
    ...(chosen === '' ? { 'deploy-all': true as const } : { environments: [chosen] }),
    ...(isChecked ? { validate: true as const } : {}),
  };
  const start = async () => {
    if (await run(() => deploy(order))) onClose();
  };
  return (
    <Dialog
      title={environment === undefined ? 'Deploy' : `Deploy ${visibleText(environment)}`}
      action="Deploy"
      isDisabled={isBusy}
      failure={failure}
      failureTitle="Nothing was deployed"
      onAct={() => void start()}
      onClose={onClose}
    >
      {environment === undefined ? <Branches chosen={chosen} onChange={setChosen} /> : undefined}
      {chosen === '' ? (
        <p>
          All branches of all control repositories are deployed; environments without a branch are removed.
        </p>
      ) : (
        <Affected environment={chosen} />
      )}
      <CheckField
        label="Validate the code first: versions with syntax errors are not deployed"
        isChecked={isChecked}
        onChange={setChecked}
      />
      <div>
        <CommandButton
          text={apiCommand({ method: 'POST', path: deployPath, body: order }, location.origin)}
        />
      </div>
    </Dialog>
  );
}

interface BranchesProps {
  readonly chosen: string;
  readonly onChange: (environment: string) => void;
}

/** Branches that the control repositories have now, so that new ones can be deployed. */
function Branches({ chosen, onChange }: BranchesProps): ReactElement {
  const session = useSession();
  const branches = useQuery(branchesQuery);
  const names = (branches.data ?? []).flatMap(({ environment }) =>
    environment !== undefined && mayDo(session, 'environment', 'deploy_code', environment)
      ? [environment]
      : [],
  );
  const failed = branches.data?.find(
    ({ environment, error }) => environment === undefined && error !== undefined,
  );
  return (
    <>
      <ChoiceField
        label="Environment"
        value={chosen}
        options={[['', 'All environments'], ...names.toSorted().map((name) => [name, name] as const)]}
        hint={branches.isFetching ? 'Reading the branches…' : undefined}
        onChange={onChange}
      />
      {branches.isError ? <Failure title="The branches can’t be read" error={branches.error} /> : undefined}
      {failed === undefined ? undefined : (
        <p role="alert">{visibleText(`${failed.source}: ${failed.error?.msg}`)}</p>
      )}
    </>
  );
}

export function Affected({ environment }: { readonly environment: string }): ReactElement | undefined {
  const mayCount = mayDo(useSession(), 'nodes', 'view_data');
  const { data: count } = useQuery(nodesIn(environment, mayCount));
  if (!mayCount) return undefined;
  if (count === undefined) return <p>Counting the nodes that use it…</p>;
  return (
    <p>
      {count === 1 ? '1 node' : `${count.toLocaleString('en')} nodes`} ran with {visibleText(environment)} at
      last, and get the new version with their next run.
    </p>
  );
}

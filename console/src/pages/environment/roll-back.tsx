/** The way back to an earlier version: says which nodes it concerns, and until when it holds. */

import type { ReactElement } from 'react';
import { type CodeVersion, rollBack, rollbackPath } from '../../api/code.ts';
import { CommandButton } from '../../features/command-button.tsx';
import { Affected } from '../../features/deploy-dialog.tsx';
import { useChange } from '../../features/use-change.ts';
import { apiCommand } from '../../lib/api-command.ts';
import { exactTime } from '../../lib/time.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { Dialog } from '../../ui/dialog.tsx';

interface RollBackProps {
  readonly environment: string;
  readonly version: CodeVersion;
  readonly onClose: () => void;
}

export function RollBack({ environment, onClose, version }: RollBackProps): ReactElement {
  const { failure, isBusy, run } = useChange('code');
  const { commit } = version;
  const act = async () => {
    if (await run(() => rollBack(environment, commit))) onClose();
  };
  return (
    <Dialog
      title={`Roll ${visibleText(environment)} back`}
      action={isBusy ? 'Rolling back…' : 'Roll back'}
      isDisabled={isBusy}
      failure={failure}
      onAct={() => void act()}
      onClose={onClose}
    >
      <p>
        To the version <code>{(version['deploy-signature'] ?? commit).slice(0, 12)}</code> of{' '}
        {exactTime(new Date(version.date))}. All servers serve it until the next deploy.
      </p>
      <Affected environment={environment} />
      <div>
        <CommandButton
          text={apiCommand(
            { method: 'POST', path: rollbackPath, body: { environment, commit } },
            location.origin,
          )}
        />
      </div>
    </Dialog>
  );
}

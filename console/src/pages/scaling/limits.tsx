/** How many compile servers may be advised, and how full they should be. */

import { type ReactElement, useState } from 'react';
import { changeScaling, type ScalingStatus } from '../../api/scaling.ts';
import { useChange } from '../../features/use-change.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';

interface LimitsProps {
  readonly status: ScalingStatus;
  readonly onClose: () => void;
}

export function Limits({ onClose, status: { advice, settings } }: LimitsProps): ReactElement {
  const [min, setMin] = useState(String(settings.min));
  const [max, setMax] = useState(String(settings.max));
  const [target, setTarget] = useState(String(Math.round(settings.target * 100)));
  const { failure, isBusy, run } = useChange('autoscaler');
  const wanted = { min: Number(min), max: Number(max), target: Number(target) / 100 };
  const change = async () => {
    if ((await run(() => changeScaling(wanted))) !== undefined) onClose();
  };
  const isOrdered = wanted.min <= wanted.max;
  return (
    <Dialog
      title="Change limits"
      action="Change limits"
      isDisabled={isBusy || !isOrdered || wanted.max < 1}
      failure={failure}
      onAct={() => void change()}
      onClose={onClose}
    >
      <p>
        {advice.servers} compile servers are there, and the load asks for {advice.wanted}. No server is added
        or removed by this: it changes how many are advised.
      </p>
      <TextField label="Least servers" type="number" value={min} onChange={setMin} isRequired />
      <TextField
        label="Most servers"
        type="number"
        value={max}
        onChange={setMax}
        mistake={isOrdered ? undefined : 'The most can’t be fewer than the least'}
        isRequired
      />
      <TextField
        label="Target, in percent"
        type="number"
        value={target}
        onChange={setTarget}
        hint="The share of the workers that lasting load keeps busy: 10 to 90. Lower leaves more room for crowds."
        isRequired
      />
      <div>
        <CopyButton
          label="Copy as command"
          isLabelled
          text={`bunraku autoscaler set --min ${min} --max ${max} --target ${wanted.target}`}
        />
      </div>
    </Dialog>
  );
}

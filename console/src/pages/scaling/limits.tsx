/** How many compile servers may be advised, and how full they should be. */

import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { changeScaling, type ScalingLimits, type ScalingStatus } from '../../api/scaling.ts';
import { CommandButton } from '../../features/command-button.tsx';
import { useChange } from '../../features/use-change.ts';
import { visibleText } from '../../lib/visible-text.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import styles from './page.module.css';
import { scalingPreview } from './queries.ts';

interface LimitsProps {
  readonly status: ScalingStatus;
  readonly onClose: () => void;
}

export function Limits({ onClose, status }: LimitsProps): ReactElement {
  const { advice, settings } = status;
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
        {advice.servers} compile servers are in service, and the load needs {advice.wanted}. This changes how
        many are advised. It does not add or remove servers.
      </p>
      <TextField label="Minimum" type="number" value={min} onChange={setMin} isRequired />
      <TextField
        label="Maximum"
        type="number"
        value={max}
        onChange={setMax}
        mistake={isOrdered ? undefined : 'The maximum can’t be below the minimum'}
        isRequired
      />
      <TextField
        label="Target, in percent"
        type="number"
        value={target}
        onChange={setTarget}
        hint="The share of workers that steady load keeps busy: 10 to 90. A lower target leaves more room for peaks."
        isRequired
      />
      {isOrdered && wanted.max >= 1 && wanted.target >= 0.1 && wanted.target <= 0.9 ? (
        <Effect limits={wanted} />
      ) : undefined}
      <div className={styles.commands}>
        <CommandButton text={`bunraku autoscaler set --min ${min} --max ${max} --target ${wanted.target}`} />
        <CopyButton label="Copy simulation of a day" isLabelled text={simulation(wanted, status)} />
      </div>
    </Dialog>
  );
}

/** What would be advised now. */
function Effect({ limits }: { readonly limits: Required<ScalingLimits> }): ReactElement {
  const settled = useSettled(JSON.stringify(limits));
  const { data, error } = useQuery(scalingPreview(JSON.parse(settled) as ScalingLimits));
  if (error !== null) return <p className={styles.warning}>{visibleText(error.message)}</p>;
  if (data === undefined) return <LoadingRows label="The advice is computed" rows={1} />;
  const { advice, numbers } = data;
  return (
    <p role="status">
      With these limits {numbers.need_workers.toFixed(1)} workers are needed, and{' '}
      {advice.wanted === 1 ? '1 server is' : `${advice.wanted} servers are`} advised.
    </p>
  );
}

/** A day of a fleet of this size with these limits. */
function simulation(
  { max, min, target }: Required<ScalingLimits>,
  { nodes, servers }: ScalingStatus,
): string {
  const [server] = servers;
  const workers = server === undefined ? '' : ` --workers ${server.workers}`;
  const limits = `--min ${min} --max ${max} --target ${target}`;
  return `bunraku autoscaler simulate --controller rule --nodes ${Math.max(1, nodes.known)}${workers} ${limits}`;
}

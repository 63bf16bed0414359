/** The compile server's systemd unit, on machines that have systemd and the unit. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../../lib/service-error.ts';

const unit = 'bunraku-compile-server.service';
const directories = ['/etc/systemd/system', '/usr/lib/systemd/system', '/lib/systemd/system'];

/** Whether systemd runs this machine and knows the unit. */
export function hasCompileServerUnit(): boolean {
  return (
    existsSync('/run/systemd/system') && directories.some((directory) => existsSync(join(directory, unit)))
  );
}

/** Restarted, not only started: it may run with what it was before. @throws ServiceError `unavailable` */
export function startCompileServerUnit(): void {
  if (!control('enable') || !control('restart'))
    throw new ServiceError('unavailable', `systemd could not start ${unit}: see journalctl -u ${unit}`);
}

/** A machine that has left does not ask to come back when it boots. */
export function disableCompileServerUnit(): void {
  control('disable');
}

function control(verb: string): boolean {
  return spawnSync('systemctl', [verb, unit], { stdio: 'inherit' }).status === 0;
}

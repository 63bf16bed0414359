/** The examples for `autoscaler_driver = exec`, with programs in the place of the platforms' own that know the words they are given. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startProcess } from '../../src/platform/processes/index.ts';
import { type Driver, execDriver } from '../../src/services/autoscaler/index.ts';

const examples = join(import.meta.dirname, '..', '..', 'examples', 'autoscaler');
const order = { id: '0a1b2c3d4e5f', certname: 'pool-0a1b2c3d4e5f.test' };

/** Beginnings of the programs: `$state` holds what exists, `$calls` what was asked, and `$trouble` what everything fails with. */
const begin = `#!/bin/bash
state=$(dirname "$0")/state calls=$(dirname "$0")/calls trouble=$(dirname "$0")/trouble
[ -e "$state" ] || echo '[]' > "$state"
printf '%s\\n' "$*" >> "$calls"
[ ! -e "$trouble" ] || { cat "$trouble" >&2; exit 1; }
change() { jq "$@" "$state" > "$state.new" && mv "$state.new" "$state"; }
unknown() { echo "usage: $*" >&2; exit 2; }
`;

const gcloud = `${begin}
[[ "$1 $2 $3" == 'compute instance-groups managed' && $5 == puppet-compile && "$6 $7 $8" == '--zone europe-west1-b --quiet' ]] || unknown "$@"
verb=$4
shift 8
case $verb in
  create-instance)
    [[ $# == 4 && $1 == --instance && $3 == --stateful-metadata ]] || unknown "$@"
    ! jq -e --arg name "$2" 'any(.name == $name)' "$state" > /dev/null || { echo "ERROR: The resource '$2' already exists" >&2; exit 1; }
    change --arg name "$2" '. + [{name: $name, instance: "https://www.googleapis.com/compute/v1/projects/p/zones/z/instances/\\($name)", instanceStatus: "STAGING", currentAction: "CREATING"}]'
    ;;
  delete-instances)
    [[ $# == 3 && $1 == --instances && $3 == --skip-instances-on-validation-error ]] || unknown "$@"
    change --arg name "$2" 'map(if .name == $name then .currentAction = "DELETING" else . end)'
    ;;
  list-instances) [[ "$*" == '--format json' ]] || unknown "$@"; cat "$state" ;;
  *) unknown "$verb" ;;
esac
`;

const az = `${begin}
case "$1 $2" in
  'vm create')
    [[ "$*" =~ ^'vm create --resource-group puppet --name '([^ ]+)' --vmss puppet-compile --image puppet-compile-image --custom-data @'([^ ]+)' --tags bunraku-order='([^ ]+)' --no-wait --output none'$ ]] || unknown "$@"
    cat "\${BASH_REMATCH[2]}" >> "$calls"
    change --arg name "\${BASH_REMATCH[1]}" --arg order "\${BASH_REMATCH[3]}" '. + [{name: $name, provisioningState: "Creating", tags: {"bunraku-order": $order}, virtualMachineScaleSet: {id: "/subscriptions/s/resourceGroups/PUPPET/providers/Microsoft.Compute/virtualMachineScaleSets/PUPPET-COMPILE"}}]'
    ;;
  'vm delete')
    [[ "$*" =~ ^'vm delete --resource-group puppet --name '([^ ]+)' --yes --no-wait --output none'$ ]] || unknown "$@"
    change --arg name "\${BASH_REMATCH[1]}" 'map(if .name == $name then .provisioningState = "Deleting" else . end)'
    ;;
  'vm list')
    [[ "$*" == 'vm list --resource-group puppet --output json' ]] || unknown "$@"
    jq '. + [{name: "web", provisioningState: "Succeeded", tags: null, virtualMachineScaleSet: null}]' "$state"
    ;;
  *) unknown "$@" ;;
esac
`;

const nomad = `${begin}
case "$1 $2" in
  'job dispatch')
    [[ "$*" =~ ^'job dispatch -detach -idempotency-token '([^ ]+)' -meta order='([^ ]+)' -meta primary='[^\\ ]+' -meta certname='([^ ]+)' -meta token='.+' puppet-compile'$ ]] || unknown "$@"
    jq -e --arg token "\${BASH_REMATCH[1]}" 'any(.Meta.order == $token)' "$state" > /dev/null ||
      change --arg order "\${BASH_REMATCH[2]}" --arg certname "\${BASH_REMATCH[3]}" '. + [{ID: "puppet-compile/dispatch-1700000000-\\($order)", Status: "pending", Stop: false, Meta: {order: $order, certname: $certname}}]'
    ;;
  'job stop')
    [[ "$*" =~ ^'job stop -detach -purge -yes '([^ ]+)$ ]] || unknown "$@"
    change --arg id "\${BASH_REMATCH[1]}" 'map(if .ID == $id then .Stop = true else . end)'
    ;;
  'operator api') [[ $3 == '/v1/jobs?meta=true&prefix=puppet-compile/dispatch-' && $# == 3 ]] || unknown "$@"; cat "$state" ;;
  *) unknown "$@" ;;
esac
`;

interface Example {
  readonly name: string;
  /** The platform's program. */
  readonly program: string;
  readonly standIn: string;
  /** As the platform calls an instance, and as it says that it runs. */
  readonly id: string;
  readonly running: string;
  readonly troubles: readonly (readonly [text: string, retry: string])[];
}

const samples: readonly Example[] = [
  {
    name: 'google-instance-group',
    program: 'gcloud',
    standIn: gcloud,
    id: 'pool-0a1b2c3d4e5f',
    running: 'map(.instanceStatus = "RUNNING" | .currentAction = "NONE")',
    troubles: [
      ['ERROR: ZONE_RESOURCE_POOL_EXHAUSTED', 'elsewhere'],
      ["ERROR: Required 'compute.instanceGroupManagers.update' permission for 'g'", 'never'],
      ['ERROR: gcloud crashed (ConnectionError)', 'soon'],
    ],
  },
  {
    name: 'azure-scale-set',
    program: 'az',
    standIn: az,
    id: 'pool-0a1b2c3d4e5f',
    running: 'map(.provisioningState = "Succeeded")',
    troubles: [
      ['ERROR: (SkuNotAvailable) The requested size is not available', 'elsewhere'],
      ['ERROR: (AuthorizationFailed) The client has no authorization', 'never'],
      ['ERROR: (TooManyRequests) Try again', 'soon'],
    ],
  },
  {
    name: 'nomad-job',
    program: 'nomad',
    standIn: nomad,
    id: 'puppet-compile/dispatch-1700000000-0a1b2c3d4e5f',
    running: 'map(.Status = "running")',
    troubles: [
      ['Failed to dispatch job: Unexpected response code: 403 (Permission denied)', 'never'],
      ['Failed to dispatch job: connection refused', 'soon'],
    ],
  },
];

const hasJq = spawnSync('jq', ['--version']).status === 0;
const hasShellcheck = spawnSync('shellcheck', ['--version']).status === 0;

describe.skipIf(!hasJq).each(samples)(
  'the example $name',
  ({ id, name, program, running, standIn, troubles }) => {
    let directory: string;
    let driver: Driver;
    let tokens: number;
    const read = (file: string) => readFileSync(join(directory, file), 'utf8');

    beforeEach(() => {
      directory = mkdtempSync(join(tmpdir(), 'bunraku-exec-'));
      tokens = 0;
      writeFileSync(join(directory, program), standIn, { mode: 0o755 });
      driver = execDriver({
        command: [join(examples, name)],
        start: startProcess,
        environment: { ...process.env, PATH: `${directory}:${process.env['PATH']}` },
        primaryUrl: () => 'https://primary.test:8140',
        grants: { issue: async () => `token-${(tokens += 1)}` },
        timeoutMs: 60_000,
      });
    });
    afterEach(() => rmSync(directory, { recursive: true }));

    test('launches one instance for an order, however often it comes, and ends it', async () => {
      expect(await driver.inventory()).toEqual([]);
      expect(await driver.launch([order])).toEqual([undefined]);
      expect(await driver.launch([order])).toEqual([undefined]);

      const [instance, ...others] = (await driver.inventory()) ?? [];
      expect(others).toEqual([]);
      expect(instance).toMatchObject({ id, orderId: order.id, state: 'pending' });
      for (const word of ['https://primary.test:8140', order.certname, 'token-1'])
        expect(read('calls')).toContain(word);
      writeFileSync(
        join(directory, 'state'),
        spawnSync('jq', [running, join(directory, 'state')], { encoding: 'utf8' }).stdout,
      );
      expect(await driver.inventory()).toMatchObject([{ state: 'running' }]);
      await driver.end(id);
      await driver.end('none');
      expect(await driver.inventory()).toMatchObject([{ id, state: 'ending' }]);
    });

    test.each(troubles)('says what may be done about: %s', async (trouble, retry) => {
      writeFileSync(join(directory, 'trouble'), `${trouble}\n`);

      const [outcome] = await driver.launch([order]).catch((error: unknown) => [error]);
      expect(outcome).toMatchObject({ message: `${trouble}\n`, retry });
      await expect(driver.inventory()).rejects.toMatchObject({ retry });
      await expect(driver.end(id)).rejects.toMatchObject({ retry });
    });

    test.skipIf(!hasShellcheck)('has no mistakes that shellcheck knows', () => {
      expect(existsSync(join(examples, name))).toBe(true);
      expect(spawnSync('shellcheck', [join(examples, name)], { encoding: 'utf8' }).stdout).toBe('');
    });
  },
);

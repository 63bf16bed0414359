import { expect, test } from 'vitest';
import { UsageError } from '../command.ts';
import { runCommand } from '../run-command.testing.ts';
import { autoscalerSimulateCommand } from './simulate.ts';

const small = ['--nodes', '200', '--hours', '3', '--compile-ms', '2000'];

test('prints how each way to decide did, and the bounds that were broken', async () => {
  const { err, exitCode, out } = await runCommand(
    autoscalerSimulateCommand,
    '--scenario',
    'splayed',
    ...small,
  );

  expect([exitCode, err]).toEqual([0, '']);
  expect(out).toMatch(/^Nodes come evenly, each half hour\.\nSCENARIO +CONTROLLER +RUNS/);
  expect(out).toMatch(/^splayed +rule +1\d\d\d +0 /m);
  expect(out).toMatch(/^splayed +cpu +1\d\d\d +0 /m);
});

test('prints one object for each day, or one line for each minute', async () => {
  const args = ['--scenario', 'splayed', '--controller', 'hpa', ...small];
  const days = await runCommand(autoscalerSimulateCommand, '--format', 'json', ...args);
  const minutes = await runCommand(autoscalerSimulateCommand, '--minutes', ...args);

  expect(JSON.parse(days.out)).toMatchObject([{ scenario: 'splayed', controller: 'hpa', failed_runs: 0 }]);
  const lines = minutes.out.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^minute,offered,/);
  expect(lines).toHaveLength(1 + 3 * 60);
});

test.each([
  [['--scenario', 'none'], '--scenario is one of splayed, power-failure'],
  [['--controller', 'none'], '--controller is one of rule, group, hpa, cpu'],
  [['--nodes', '0'], '--nodes is a number from 1 to 200000'],
  [['--nodes', '1e3'], '--nodes is a number'],
  [['--min', '9', '--max', '8'], '--min is more than --max'],
])('refuses %j', async (args, message) => {
  const refused = runCommand(autoscalerSimulateCommand, ...args);

  await expect(refused).rejects.toThrow(UsageError);
  await expect(refused).rejects.toThrow(message);
});

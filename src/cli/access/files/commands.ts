/** `bunraku access export`, `plan` and `apply` */

import { type Command, type CommandIo, UsageError } from '../../command.ts';
import { outputFormat, renderJson } from '../../output-format.ts';
import { type CommandLine, readCommandLine } from '../../own-options.ts';
import { readApplyLine, readPlanLine } from '../../plan-files.ts';
import type { ServiceRequest } from '../../service-connection.ts';
import { rbacOptions, rbacUsage } from '../../user/rbac-client.ts';
import { readAccessFiles, renderAccess } from './access-file.ts';
import { type PlannedStep, planAccess, roleIdsOf } from './access-plan.ts';
import { askAccess, readAccessState } from './access-state.ts';

export const accessExportCommand: Command = {
  name: 'access export',
  summary: 'Print roles, users and imported groups as YAML, for review and for a repository',
  usage: `
Usage: bunraku access export [OPTIONS]

  bunraku access export > access.yaml

Passwords, tokens, the user admin, users of directories and the roles that are always there are left out.

${rbacUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: rbacOptions, flags: [] });
    if (line.positional.length > 0) throw new UsageError('access export takes no file: it prints');
    io.stdout(renderAccess(await readAccessState(asking(line))));
    return 0;
  },
};

const options = `  --format json        Print the plan for programs
${rbacUsage}
Roles, users and groups that the files don't name stay as they are, and so does what the files leave out of one. New users have no
password: 'bunraku user password LOGIN' sets one.
`;

export const accessPlanCommand: Command = {
  name: 'access plan',
  summary: 'Show what files of roles, users and imported groups would change',
  usage: `
Usage: bunraku access plan FILE ... [OPTIONS]

FILE is YAML as 'bunraku access export' prints it; '-' reads it from standard input.
Exit code: 0 nothing to do, 2 there are changes, 1 it failed.

${options}`,
  async run(args, io) {
    const line = readPlanLine(args, rbacOptions);
    const steps = await makePlan(line);
    printPlan(steps, line, io);
    return steps.length === 0 ? 0 : 2;
  },
};

export const accessApplyCommand: Command = {
  name: 'access apply',
  summary: 'Change roles, users and imported groups to what files say',
  usage: `
Usage: bunraku access apply FILE ... [OPTIONS]

FILE is YAML as 'bunraku access export' prints it; '-' reads it from standard input.
Changes are made one by one, roles first; where one is refused, those before it stay and are named.

${options}`,
  async run(args, io) {
    const line = readApplyLine(args, rbacOptions);
    const steps = await makePlan(line);
    printPlan(steps, line, io);
    await applySteps(steps, asking(line));
    if (outputFormat(line) !== 'json' && steps.length > 0) io.stdout(`Made ${counted(steps.length)}\n`);
    return 0;
  },
};

/** @throws Error saying which step was refused, and which were made before it */
export async function applySteps(
  steps: readonly PlannedStep[],
  ask: (request: ServiceRequest) => Promise<unknown>,
): Promise<void> {
  const made: string[] = [];
  for (const { request, what } of steps) {
    try {
      // Steps before may have made the roles that this one names.
      const { roles } = await readAccessState(ask);
      await ask(request(roleIdsOf(roles)));
      made.push(what);
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      const before = made.length === 0 ? 'Nothing was changed' : `Changed before: ${made.join(', ')}`;
      throw new Error(`${what}: ${message}. ${before}`, { cause });
    }
  }
}

/** For people. */
export function planLines(steps: readonly PlannedStep[]): readonly string[] {
  if (steps.length === 0) return ['Nothing to do: roles, users and groups are as the files have them'];
  const lines = steps.flatMap(({ differences, isNew, what }) => [
    `  ${isNew ? '+' : '~'} ${what}`,
    ...differences.map((difference) => `    ${difference}`),
  ]);
  return [`${counted(steps.length)}:`, ...lines];
}

function counted(steps: number): string {
  return `${steps} ${steps === 1 ? 'change' : 'changes'}`;
}

function printPlan(steps: readonly PlannedStep[], line: CommandLine, io: CommandIo): void {
  const shown = steps.map(({ differences, isNew, what }) => ({ what, is_new: isNew, differences }));
  const isJson = outputFormat(line) === 'json';
  io.stdout(isJson ? renderJson({ changes: shown }) : `${planLines(steps).join('\n')}\n`);
}

async function makePlan(line: CommandLine): Promise<readonly PlannedStep[]> {
  const file = readAccessFiles(line.positional);
  return planAccess(await readAccessState(asking(line)), file);
}

function asking(line: CommandLine): (request: ServiceRequest) => Promise<unknown> {
  return (request) => askAccess(line, request);
}

/** What is wrong with files, in words for people. */

import type { FilesInUse } from './received-files.ts';
import type { PathProblem } from './termini.ts';

export interface FileAlert {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** On the primary. */
export function alertsOfPrimary(problems: readonly PathProblem[], primary: string): readonly FileAlert[] {
  return problems.map((problem) => ({
    severity: problem.isRequired ? 'error' : 'warning',
    message: `Compile servers do not get ${told(problem, primary)}`,
  }));
}

/** On a compile server. */
export function alertsOfServer(
  { different, missing, problems }: FilesInUse,
  { certname, primary }: { readonly certname: string; readonly primary: string },
): readonly FileAlert[] {
  const others = problems.filter((problem) => !missing.includes(problem));
  return [
    ...missing.map(
      (problem): FileAlert => ({
        severity: 'error',
        message: `${certname} does not serve: it lacks ${told(problem, primary)}`,
      }),
    ),
    ...others.map(
      (problem): FileAlert => ({
        severity: 'warning',
        message: `${certname} gets no newer ${told(problem, primary)}`,
      }),
    ),
    ...different.map(
      (path): FileAlert => ({
        severity: 'warning',
        message: `${path} of ${certname} is not the same as on ${primary}; the server uses its own`,
      }),
    ),
  ];
}

/** Why a server cannot serve; `undefined` when it has all that is required. */
export function obstacleOf({ missing }: FilesInUse, primary: string): string | undefined {
  const [first] = missing;
  if (first === undefined) return undefined;
  const more = missing.length === 1 ? '' : ` (and ${missing.length - 1} more)`;
  return `${told(first, primary)}${more}`;
}

function told({ path, reason, source }: PathProblem, primary: string): string {
  return `${path}, which ${source} names: ${reason} on ${primary}`;
}

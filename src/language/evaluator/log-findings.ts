import type { CompileRequest } from './compile-request.ts';

/** Logs what reading files has brought up since the last time. */
export function logFindings({ environment, log }: CompileRequest): void {
  for (const finding of environment.takeWarnings()) {
    if (finding.kind === 'module') log(finding.severity === 'error' ? 'err' : 'warning', finding.message);
    else log(finding.diagnostic.severity === 'error' ? 'err' : 'warning', finding.diagnostic.message);
  }
}

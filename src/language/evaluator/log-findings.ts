import type { CompileRequest } from './compile-request.ts';

/** Logs what reading files has brought up since the last time. */
export function logFindings({ environment, log }: CompileRequest): void {
  for (const finding of environment.takeWarnings()) {
    const { message, severity } = finding.kind === 'module' ? finding : finding.diagnostic;
    const position = finding.kind === 'module' ? undefined : finding.diagnostic;
    log(severity === 'error' ? 'err' : 'warning', message, position);
  }
}

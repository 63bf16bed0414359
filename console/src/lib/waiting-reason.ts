/** Why a request for a certificate waits: the server's words for its log, in short where they are the usual ones. */

const byAutosign = /^autosign by (?:.*\/)?([^/]+)$/;

export function waitingReason(reason: string): string {
  if (reason === 'autosign is false') return 'autosign is off';
  const [, file] = byAutosign.exec(reason) ?? [];
  if (file === undefined) return reason;
  return file.endsWith('.conf') ? `not in ${file}` : `${file} does not sign it`;
}

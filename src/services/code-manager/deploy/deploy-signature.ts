/** The commit of the control repository, written into the message of the commit to file sync. */

const label = 'deploy-signature: ';

export function messageWith(signature: string, environment: string): string {
  return `Deployed ${environment}\n\n${label}${signature}`;
}

/** @returns `undefined` for commits that were no deploys */
export function signatureIn(message: string): string | undefined {
  return message
    .split('\n')
    .find((line) => line.startsWith(label))
    ?.slice(label.length)
    .trim();
}

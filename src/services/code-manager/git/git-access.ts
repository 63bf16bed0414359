/** How git reaches a host: keys, tokens, proxies. None of it is visible in the list of processes. */

import { readFile } from 'node:fs/promises';
import type { GitAccess, GitConfiguration } from '../configuration/configuration.ts';
import { DeployError } from '../deploy-error.ts';

const connectTimeoutSeconds = 10;

/** What is configured for a remote: its own entry, else what holds for all. */
export function accessTo(remote: string, git: GitConfiguration): GitAccess {
  return git.repositories.find((repository) => repository.remote === remote) ?? git.access;
}

/**
 * The environment of git commands for a remote.
 *
 * @throws DeployError when a token can't be read
 */
export async function accessEnvironment(
  remote: string,
  { privateKey, oauthToken, proxy }: GitAccess,
): Promise<Record<string, string>> {
  const configuration: [string, string][] = [];
  if (proxy !== undefined) configuration.push(['http.proxy', proxy]);
  if (oauthToken !== undefined && /^https?:/.test(remote)) {
    const credentials = Buffer.from(`x-oauth-token:${await readToken(oauthToken)}`).toString('base64');
    configuration.push([`http.${originOf(remote)}.extraHeader`, `Authorization: Basic ${credentials}`]);
  }
  return { ...configurationVariables(configuration), GIT_SSH_COMMAND: sshCommand(privateKey) };
}

/**
 * A remote as it may be shown: without passwords and tokens.
 */
export function withoutCredentials(text: string): string {
  return text.replaceAll(/(\w+:\/\/)[^/\s@]*@/g, '$1');
}

/**
 * Refuses what git would take for an option or for a program to run.
 *
 * @throws DeployError
 */
export function checkRemote(remote: string): void {
  if (remote === '' || remote.startsWith('-') || /[\0\n\r]/.test(remote))
    throw new DeployError(`'${withoutCredentials(remote)}' is no git remote`);
  if (/^[\w-]+::/.test(remote))
    throw new DeployError(
      `git remotes with a helper of their own are not allowed: '${withoutCredentials(remote)}'`,
    );
}

function originOf(remote: string): string {
  try {
    const { protocol, host } = new URL(remote);
    return `${protocol}//${host}/`;
  } catch (error) {
    throw new DeployError(`'${withoutCredentials(remote)}' is no URL`, error);
  }
}

async function readToken(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new DeployError(`Unable to read OAuth token from ${file}: ${(error as Error).message}`, error);
  }
}

function sshCommand(privateKey: string | undefined): string {
  const options = ['-o BatchMode=yes', `-o ConnectTimeout=${connectTimeoutSeconds}`];
  if (privateKey !== undefined)
    options.push(`-i '${privateKey.replaceAll("'", "'\\''")}'`, '-o IdentitiesOnly=yes');
  return `ssh ${options.join(' ')}`;
}

/** git reads configuration from these, where `-c` would show it to every user of the machine. */
function configurationVariables(entries: readonly (readonly [string, string])[]): Record<string, string> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(entries.length) };
  for (const [index, [key, value]] of entries.entries()) {
    variables[`GIT_CONFIG_KEY_${index}`] = key;
    variables[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return entries.length === 0 ? {} : variables;
}

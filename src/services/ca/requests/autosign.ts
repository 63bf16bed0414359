/**
 * Whether a request is signed as it comes: always, never, by the patterns of `autosign.conf`, or as a program says.
 *
 * @see "SSL: autosigning" in the Puppet documentation
 */

import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { retryOnTextBusy } from '../../../lib/retry-on-text-busy.ts';
import type { Logger } from '../../../platform/log/index.ts';
import { findFile } from '../directory/ca-directory.ts';

const commandTimeoutMs = 60_000;

/**
 * @param setting - as in `CaSettings`; a file that does not exist signs nothing
 * @param pem - the request, handed to a program on its standard input
 */
export async function autosigns(
  setting: boolean | string,
  certname: string,
  pem: string,
  log: Logger,
): Promise<boolean> {
  if (typeof setting === 'boolean') return setting;
  const file = await findFile(setting);
  if (!file) return false;
  if (await isExecutable(setting)) return retryOnTextBusy(() => commandAllows(setting, certname, pem, log));
  return patternsAllow(file.content, certname, (pattern) => {
    log.error({ pattern, file: setting }, 'invalid pattern in autosign file');
  });
}

/** Exported for tests: whether a line of an `autosign.conf` matches. */
export function patternsAllow(
  content: string,
  certname: string,
  onInvalid: (pattern: string) => void,
): boolean {
  const lines = content.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.some((line) => {
    if (!line.includes('#') && !line.includes(' ')) return matches(line, certname);
    onInvalid(line);
    return false;
  });
}

function matches(pattern: string, certname: string): boolean {
  if (pattern === '*') return true;
  if (!pattern.startsWith('*')) return pattern === certname;
  // "*.example.net" means everything whose last labels are example.net, that name itself included.
  const wanted = pattern.toLowerCase().split('.').slice(1);
  const labels = certname.toLowerCase().split('.');
  return (
    wanted.length <= labels.length &&
    wanted.every((label, index) => label === labels.at(index - wanted.length))
  );
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    // Not executable, so it is a list of patterns.
    return false;
  }
}

function commandAllows(command: string, certname: string, pem: string, log: Logger): Promise<boolean> {
  return new Promise((resolve) => {
    const child = execFile(command, [certname], { timeout: commandTimeoutMs }, (error, stdout, stderr) => {
      log.debug({ certname, command, stdout }, 'autosign command finished');
      if (stderr !== '') log.warn({ certname, command, stderr }, 'autosign command wrote to standard error');
      if (error)
        log.warn({ certname, command, exitCode: error.code }, 'autosign command rejected certificate');
      resolve(error === null);
    });
    child.stdin?.on('error', () => {
      // A program that does not read its input is free not to.
    });
    child.stdin?.end(pem);
  });
}

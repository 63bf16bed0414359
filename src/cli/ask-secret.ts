/** Asks the person at the terminal for a password. */

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { readStdin } from './read-stdin.ts';

/** What somebody answers on the terminal. @throws Error when there is none */
export async function ask(question: string, signal: AbortSignal): Promise<string> {
  return await answerTo(question, true, signal);
}

/** The same for passwords: what is typed is not shown. What is piped in is read as a whole. */
export async function askSecret(question: string, signal: AbortSignal): Promise<string> {
  const piped = await readStdin();
  if (piped !== undefined) return piped.replace(/\r?\n$/, '');
  return await answerTo(question, false, signal);
}

/** A new password, typed twice on a terminal. @throws Error when the two differ */
export async function askNewPassword(login: string, signal: AbortSignal): Promise<string> {
  const password = await askSecret(`New password of ${login}: `, signal);
  if (!process.stdin.isTTY) return password;
  const again = await askSecret('The same again: ', signal);
  if (again !== password) throw new Error('The two passwords differ');
  return password;
}

async function answerTo(question: string, isShown: boolean, signal: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY) throw new Error(`There is no terminal to ask on: ${question.trim()}`);
  // Questions go where no answer of the command goes.
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = isShown ? process.stderr : silent;
  const reader = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return await reader.question('', { signal });
  } finally {
    reader.close();
    if (!isShown) process.stderr.write('\n');
  }
}

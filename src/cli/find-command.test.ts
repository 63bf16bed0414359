import { describe, expect, it } from 'vitest';
import type { CommandEntry } from './command.ts';
import { findRequest } from './find-command.ts';

function entry(name: string): CommandEntry {
  return { name, summary: `does ${name}`, load: () => Promise.reject(new Error('not wanted here')) };
}
const commands = [
  'primary',
  'compile-server',
  'compile-server join',
  'code deploy',
  'code status',
  'access login',
  'access group list',
  'access group delete',
].map(entry);

function ask(...words: string[]) {
  const request = findRequest(words, commands);
  return request.kind === 'command'
    ? `${request.entry.name}: ${request.args.join(' ')}`
    : `${request.kind}\n${request.text}`;
}

describe('the words of a command line', () => {
  it('call the command with the longest name', () => {
    expect(ask('compile-server', 'join', 'https://x')).toBe('compile-server join: https://x');
    expect(ask('compile-server', '--data', 'x')).toBe('compile-server: --data x');
  });

  it('ask for help in several ways', () => {
    const all = ask();

    expect(all).toMatch(/^help\nUsage: bunraku COMMAND.*primary.*code status/s);
    expect([ask('--help'), ask('-h'), ask('help'), ask('help', '--all')]).toEqual([all, all, all, all]);
    expect(ask('help', 'code', 'deploy')).toBe('code deploy: --help');
  });

  it('list the commands that begin with the same two words', () => {
    const inner = ask('access', 'group');

    expect(inner).toMatch(/^help\n.*access group list {4}does access group list\n {2}access group delete/s);
    expect(inner).not.toContain('login');
    expect([ask('access', 'group', '--help'), ask('help', 'access', 'group')]).toEqual([inner, inner]);
    expect(ask('access', 'group', 'list', 'x')).toBe('access group list: x');
    expect(ask('access', 'group', 'lost')).toMatch(/^mistake\n/);
  });

  it('list the commands that begin with the same word', () => {
    const group = ask('code');

    expect(group).toMatch(/^help\n.*code deploy {2}does code deploy\n {2}code status/s);
    expect(group).not.toContain('primary');
    expect([ask('code', '--help'), ask('help', 'code')]).toEqual([group, group]);
  });

  it.each([
    [['primry'], "there is no command 'primry'; did you mean 'primary'?"],
    [['code', 'deplyo', 'x'], "there is no command 'code deplyo'; did you mean 'code deploy'?"],
    [
      ['compile-sever', 'join'],
      "there is no command 'compile-sever join'; did you mean 'compile-server join'?",
    ],
    [['cod', '--wait'], "there is no command 'cod --wait'; did you mean 'code'?"],
    [['something else'], "there is no command 'something else'\n"],
  ])('%j: are no command, and are told the nearest', (words, text) => {
    expect(ask(...words)).toMatch(/^mistake\n/);
    expect(ask(...words)).toContain(text);
  });
});

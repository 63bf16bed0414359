import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const program = `
const { becomeOwnerOf } = await import(process.argv[1]);
const { uid, gid } = becomeOwnerOf(process.argv[2]) ?? {};
console.log(JSON.stringify([uid, gid, process.getuid(), process.getgid(), process.getgroups(), process.env.HOME]));
`;

describe.skipIf(process.geteuid?.() !== 0)(
  'a server that root starts (skipped: only root can test it)',
  () => {
    test('goes on as the owner of its directory, without any group of root’s', () => {
      const directory = mkdtempSync(join(tmpdir(), 'bunraku-user-'));
      chownSync(directory, 45_001, 45_002);
      expect(JSON.parse(become(directory))).toEqual([45_001, 45_002, 45_001, 45_002, [45_002], directory]);
      rmSync(directory, { recursive: true });
    });

    test('stays root where the directory is root’s or not there yet', () => {
      expect(JSON.parse(become('/root')).slice(0, 3)).toEqual([null, null, 0]);
      expect(JSON.parse(become('/nowhere')).slice(0, 3)).toEqual([null, null, 0]);
    });
  },
);

function become(directory: string): string {
  const file = new URL('./service-user.ts', import.meta.url).pathname;
  const args = ['--no-warnings', '--input-type=module', '-e', program, file, directory];
  const { stderr, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return stdout === '' ? stderr : stdout;
}

import { chownSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultCaSettings } from '../ca-settings.ts';
import { CaDirectory } from '../directory/ca-directory.ts';
import { setUpAuthority } from './setup.ts';

const service = { uid: 45_001, gid: 45_002 };
let base: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'bunraku-ca-owner-'));
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

describe.skipIf(process.geteuid?.() !== 0)('commands of root (skipped: only root can test it)', () => {
  test('leave nothing of root’s in an authority that the service writes to', async () => {
    chownSync(base, service.uid, service.gid);
    const caDir = join(base, 'ca');
    await setUpAuthority(
      { ...defaultCaSettings, key: { kind: 'ec', curve: 'P-256' }, caDir, caName: 'Puppet CA' },
      new Date(),
    );
    const made = readdirSync(caDir).map((name) => join(caDir, name));
    expect(made.length).toBeGreaterThan(10);
    for (const path of [caDir, ...made]) expect({ path, ...ownerOf(path) }).toEqual({ path, ...service });
  });

  test('never give away the file that a link in the place of the lock leads to', async () => {
    chownSync(base, service.uid, service.gid);
    const outside = mkdtempSync(join(tmpdir(), 'bunraku-outside-'));
    writeFileSync(join(outside, 'shadow'), 'of root');
    symlinkSync(join(outside, 'shadow'), join(base, 'bunraku.lock'));
    await new CaDirectory(base).prepare();
    expect(ownerOf(join(outside, 'shadow')).uid).toBe(0);
    rmSync(outside, { recursive: true });
  });
});

function ownerOf(path: string) {
  const { gid, uid } = statSync(path);
  return { uid, gid };
}

// Starts one of the project's scripts in Node 24, whatever Node called it, and installs the project's
// packages first when they are missing or changed. Plain JavaScript that Node 18 and later understand.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'node_modules', '.installed-lockfile');

/** `npm ci`, unless what is installed came from this very lockfile. */
function installPackages() {
  const digest = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  console.error('Installing packages (npm ci) ...');
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (npm.status !== 0) {
    console.error('npm ci failed: is the npm registry reachable from here?');
    process.exit(npm.status ?? 1);
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, digest);
}

/** The Node 24 among the packages, else the running one when it is new enough. */
function findNode() {
  const packaged = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(packaged)) return packaged;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  console.error(
    `Bunraku needs Node 24; this is ${process.version}, and there is no package node-${process.platform}-${process.arch} to take it from. Install Node 24 and try again.`,
  );
  process.exit(1);
}

const [script, ...args] = process.argv.slice(2);
installPackages();
const node = findNode();
const child = spawn(node, [join(root, 'scripts', `${script}.ts`), ...args], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: `${dirname(node)}:${join(root, 'node_modules', '.bin')}:${process.env.PATH}` },
});
// Ctrl-C at a terminal reaches the child twice, which does no harm: `kill` reaches this process alone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));

// npm passes signals on to its shell, which ends without telling us; and nothing is told when npm is killed.
const begunBelow = ancestors();
const watch = setInterval(() => {
  if (ancestors() === begunBelow) return;
  clearInterval(watch);
  child.kill('SIGTERM');
}, 500);

/** Our parent and, where that is a shell of npm's, npm itself: as text, to compare. */
function ancestors() {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return String(parent);
  try {
    const [, name, above] =
      /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${parent}/stat`, 'utf8')) ?? [];
    return /^(sh|dash|bash)$/.test(name) ? `${parent} ${above}` : String(parent);
  } catch {
    return String(parent); // no /proc here, or the parent has just ended
  }
}

/** Which changed files of an environment may have led to an event. */

import type { ChangeCause } from '../wire.ts';
import type { EventOfRun, RunRow } from './runs.ts';
import type { ChangedFile, WhySource } from './why-source.ts';

/** Of so many files the lines are shown; the others are named. */
const filesWithLines = 5;
const mostFiles = 50;
const mostLineCharacters = 4000;

export async function codeCauses(
  source: WhySource,
  before: RunRow,
  run: RunRow,
  { file }: EventOfRun,
): Promise<readonly ChangeCause[]> {
  const { codeId: left } = before;
  const { codeId: right, environment } = run;
  if (left === null || right === null || left === right || before.environment !== environment) return [];
  const changed = await source.changedFiles(environment, left, right);
  if (changed === undefined || changed.length === 0) return [];
  const declared = file === null ? undefined : pathBelow(environment, file);
  const own = changed.filter(({ path }) => path === declared);
  const data = changed.filter(({ path }) => isData(path));
  const ofModule = changed.filter(
    (each) => !own.includes(each) && !data.includes(each) && isOfSameModule(each.path, declared),
  );
  const others = changed.filter((each) => ![...own, ...data, ...ofModule].includes(each));
  const described = async (files: readonly ChangedFile[]) =>
    await Promise.all(
      files.slice(0, mostFiles).map(async ({ kind, path }, index) => ({
        path,
        change: kind,
        lines:
          index < filesWithLines ? hunksOf(await source.changedLines(environment, left, right, path)) : '',
      })),
    );
  const causes: readonly (readonly [
    ChangeCause['kind'],
    ChangeCause['certainty'],
    readonly ChangedFile[],
  ])[] = [
    ['code', 'likely', own],
    ['code', 'likely', ofModule],
    ['data', 'likely', data],
    ['code', 'possible', others],
  ];
  const found = causes.filter(([, , files]) => files.length > 0);
  return await Promise.all(
    found.map(async ([kind, certainty, files]) => ({
      kind: kind === 'data' ? ('data' as const) : ('code' as const),
      certainty,
      is_declaration: files === own,
      before: left,
      after: right,
      files: await described(files),
      count: files.length,
    })),
  );
}

/** `/etc/puppetlabs/code/environments/production/manifests/site.pp` -> `manifests/site.pp` */
function pathBelow(environment: string, file: string): string | undefined {
  const place = `/environments/${environment}/`;
  const at = file.indexOf(place);
  return at < 0 ? undefined : file.slice(at + place.length);
}

function isData(path: string): boolean {
  return (
    /(?:^|\/)hiera\.yaml$/.test(path) ||
    (/\.(?:e?ya?ml|json|hocon|conf)$/.test(path) && /(?:^|\/)(?:data|hieradata|hiera)\//.test(path))
  );
}

function isOfSameModule(path: string, declared: string | undefined): boolean {
  const moduleOf = (each: string) =>
    /^(?:[^/]+)\/([^/]+)\/(?:manifests|templates|files|functions|lib|types)\//.exec(each)?.[0];
  const wanted = declared === undefined ? undefined : moduleOf(declared);
  if (wanted === undefined || declared === undefined) return false;
  const [top = '', name = ''] = declared.split('/');
  return path.startsWith(`${top}/${name}/`);
}

/** Without the header that repeats the path. */
function hunksOf(diff: string): string {
  const at = diff.indexOf('\n@@');
  const hunks = at < 0 ? '' : diff.slice(at + 1);
  return hunks.length > mostLineCharacters ? `${hunks.slice(0, mostLineCharacters)}\n…` : hunks;
}

/** Paths within an environment, as people walk through them. */

interface PathStep {
  readonly name: string;
  readonly path: string;
}

/** The directories above a path, the path itself last; empty for the environment's own directory. */
export function pathSteps(path: string): readonly PathStep[] {
  const names = path.split('/').filter((name) => name !== '');
  return names.map((name, index) => ({ name, path: names.slice(0, index + 1).join('/') }));
}

export function pathBelow(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}

/** A file within its module or environment: what is before is the same for all. */
export function placeInModule(file: string): string {
  return /(?:\/modules\/|\/environments\/[^/]+\/|\/)((?:[^/]+\/)?manifests\/.*)$/.exec(file)?.[1] ?? file;
}

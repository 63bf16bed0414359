/** Paths that two layers could read differently: refused before anything looks at them. */

/**
 * What paths of a route may hold because real clients send it; everything else does not take it.
 *
 * - `dot`: segments that are `.`; apt asks for `./Packages`.
 * - `empty`: segments between two slashes; agents ask for `modules/m//x` as code has it, and back up `md5/<sum>//etc/motd`.
 * - `slash`: `%2F` inside of a segment, whose value is opaque then: PuppetDB's `resources/File/%2Fetc%2Fmotd`.
 * - `backslash`: `%5C`; names of systemd's units and titles of Windows files have it.
 */
export type PathOddity = 'dot' | 'empty' | 'slash' | 'backslash';

/** Nothing below concerns a path without these. */
const suspicious = /%|\\|\/\/|\/\./;
/** How often a layer behind us could decode once more. */
const maxDecodings = 3;

/** The rules must see what the router sees. @returns `undefined` when the path cannot be decoded */
export function decodedPath(path: string): string | undefined {
  if (!path.startsWith('/') || path.includes('#')) return undefined;
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    // Malformed percent-encoding: the caller answers 400.
    return undefined;
  }
}

/**
 * @param path - as sent
 * @param takes - of the route; nothing where no route has the path
 * @returns why the path is refused, in the words of Puppet Server where it has some
 */
export function pathProblem(path: string, takes: readonly PathOddity[] = []): string | undefined {
  if (!suspicious.test(path)) return undefined;
  const decoded = decodedPath(path) ?? path;
  const deep = decodedDeeply(decoded);
  if (hasDotSegment(path, deep, takes)) return `Invalid relative path (.. or .) in: ${decoded}`;
  if (deep.includes('\0')) return `A null character in: ${path}`;
  const oddity = oddityOf(path, takes.length === 0 ? deep : decoded, takes);
  return oddity === undefined ? undefined : `${oddity} in: ${path}`;
}

function hasDotSegment(path: string, deep: string, takes: readonly PathOddity[]): boolean {
  const segments = takes.includes('slash')
    ? path.split('/').map((segment) => decodedDeeply(segment))
    : deep.split(/[/\\]/);
  return segments.some((segment) => segment === '..' || (segment === '.' && !takes.includes('dot')));
}

function oddityOf(path: string, decoded: string, takes: readonly PathOddity[]): string | undefined {
  if (path.includes('\\') || (decoded.includes('\\') && !takes.includes('backslash'))) return 'A backslash';
  if (path.includes('//') && !takes.includes('empty')) return 'An empty segment';
  const hasSlash = decoded.split('/').length > path.split('/').length;
  return hasSlash && !takes.includes('slash') ? 'An encoded slash' : undefined;
}

/** Decodes what changes the meaning of a path, as the layer that decodes most would read it. */
function decodedDeeply(text: string): string {
  let result = text;
  for (let count = 0; count < maxDecodings; count++) {
    result = result.replace(/%(00|25|2e|2f|5c)/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
  return result;
}

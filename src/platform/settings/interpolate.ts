/** `$name` and `${name}` in values, as in `puppet.conf`. */

/** @param valueOf - throws for names that nothing defines; `$environment` is left for each environment to fill in */
export function interpolate(text: string, valueOf: (name: string) => string): string {
  return text.replace(
    /\$(?:(\w+)|\{(\w+)\})/g,
    (whole, plain: string | undefined, braced: string | undefined) => {
      const name = plain ?? braced ?? '';
      return name === 'environment' ? whole : valueOf(name);
    },
  );
}

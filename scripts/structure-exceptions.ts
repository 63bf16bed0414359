/** Files that may be long, each with its reason: pure tables only. */
export const longFiles: Readonly<Record<string, string>> = {
  'src/language/syntax/ast.ts': 'the whole reference model in one table of shapes',
};

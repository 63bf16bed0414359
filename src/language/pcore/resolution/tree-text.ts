import { type AstNode, visitChildren } from '../../syntax/index.ts';

/** Where a node and all that is in it stand in their source. */
function extentOf(node: AstNode): { readonly start: number; readonly end: number } {
  let start = node.offset;
  let end = node.offset + node.length;
  visitChildren(node, (child) => {
    const extent = extentOf(child);
    start = Math.min(start, extent.start);
    end = Math.max(end, extent.end);
  });
  return { start, end };
}

/** A node as it is written. */
export function treeText(source: string, node: AstNode): string {
  const { start, end } = extentOf(node);
  return source.slice(start, end);
}

/** From a place to the end of a node, what closes the node left out. */
export function openText(source: string, start: number, parts: readonly AstNode[]): string {
  const ends = parts.map((part) => extentOf(part).end);
  return source.slice(start, Math.max(start, ...ends));
}

/** The facts of a node as a tree that can be searched; those that its certificate proves stand apart. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useCallback, useMemo } from 'react';
import { UseInRule } from '../../features/use-in-rule.tsx';
import { filterField, isPlainPath } from '../../lib/fact-paths.ts';
import { type FactNode, factTree, searchedTree } from '../../lib/fact-tree.ts';
import { termText } from '../../lib/filter-terms.ts';
import { valueText, visibleText } from '../../lib/visible-text.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Pending } from '../../ui/loaded.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import treeStyles from './facts.module.css';
import styles from './page.module.css';
import { nodeFacts } from './queries.ts';

const route = getRouteApi('/nodes/$certname');

export function Facts({ certname }: { readonly certname: string }): ReactElement {
  const facts = useQuery(nodeFacts(certname));
  const { find = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const search = useCallback(
    (text: string) =>
      void navigate({ search: (before) => ({ ...before, find: text.trim() || undefined }), replace: true }),
    [navigate],
  );
  const tree = useMemo(() => factTree(facts.data ?? []), [facts.data]);
  if (facts.data === undefined) return <Pending query={facts} what="The facts" />;
  if (tree.length === 0) return <Empty title="It has no facts">Its agent sends them with each run.</Empty>;
  const found = searchedTree(tree, find);
  return (
    <div className={styles.sections}>
      <div className={styles.toolbar}>
        <SearchField label="Search facts" value={find} placeholder="A name or a value" onChange={search} />
        <Link to="/compare" search={{ kind: 'facts', left: certname }}>
          Compare with
        </Link>
      </div>
      {found.length === 0 ? <Empty title="No fact has this in its name or value" /> : undefined}
      <Tree
        title="Trusted facts: what its certificate proves"
        nodes={found.filter(({ name }) => name === 'trusted').flatMap(({ children }) => children)}
        isOpen={find !== ''}
      />
      <Tree
        title="Facts: what the node says of itself"
        nodes={found.filter(({ name }) => name !== 'trusted')}
        isOpen={find !== ''}
      />
    </div>
  );
}

interface TreeProps {
  readonly title: string;
  readonly nodes: readonly FactNode[];
  /** Whether parts are shown at once. */
  readonly isOpen: boolean;
}

function Tree({ isOpen, nodes, title }: TreeProps): ReactElement | undefined {
  if (nodes.length === 0) return undefined;
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <Branch nodes={nodes} isOpen={isOpen} />
    </section>
  );
}

function Branch({ isOpen, nodes }: Omit<TreeProps, 'title'>): ReactElement {
  return (
    <ul className={treeStyles.branch}>
      {nodes.map((node) => (
        <li key={node.path}>
          {node.children.length === 0 ? (
            <Leaf node={node} />
          ) : (
            <details open={isOpen || undefined}>
              <summary className={treeStyles.summary}>
                <span className={treeStyles.factName}>{visibleText(node.name)}</span>
                <span className={styles.clipped}>{valueText(node.value)}</span>
              </summary>
              <Branch nodes={node.children} isOpen={isOpen} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function Leaf({ node }: { readonly node: FactNode }): ReactElement {
  const { name, path, value } = node;
  const isPlain = value !== null && typeof value !== 'object' && String(value).length <= 200;
  return (
    <div className={treeStyles.leaf}>
      <span className={treeStyles.factName}>{visibleText(name)}</span>
      <code className={treeStyles.factValue}>{valueText(value)}</code>
      <span className={treeStyles.leafActions}>
        {isPlain ? (
          <Link
            to="/nodes"
            search={{ q: termText(filterField(path), String(value)) }}
            aria-label={`Find nodes with this value of ${path}`}
          >
            Find nodes
          </Link>
        ) : undefined}
        {isPlainPath(path) ? (
          <Link to="/facts" search={{ path }} aria-label={`All values of ${path}`}>
            All values
          </Link>
        ) : undefined}
        <UseInRule fact={path} value={value} />
        <CopyButton text={path} label={`Copy path ${path}`} />
      </span>
    </div>
  );
}

/** The facts of a node as a tree that can be searched; those that its certificate proves stand apart. */

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { memo, type ReactElement, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { QuickLink } from '../../features/quick-link.tsx';
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
  const found = useMemo(() => ({ nodes: searchedTree(tree, find), isOpen: find !== '' }), [tree, find]);
  // Hundreds of facts take a while to render: what is typed or clicked meanwhile comes first.
  const shown = useDeferredValue(found, nothingYet);
  if (facts.data === undefined) return <Pending query={facts} what="The facts" />;
  if (tree.length === 0) return <Empty title="No facts yet">The agent sends them with each run.</Empty>;
  return (
    <div className={styles.sections}>
      <div className={styles.toolbar}>
        <SearchField label="Search facts" value={find} placeholder="Name or value" onChange={search} />
        <Link to="/compare" search={{ kind: 'facts', left: certname }}>
          Compare with
        </Link>
      </div>
      {found.nodes.length === 0 ? <Empty title="No fact has this in its name or value" /> : undefined}
      <Trees {...shown} />
    </div>
  );
}

interface ShownFacts {
  readonly nodes: readonly FactNode[];
  /** Whether parts are shown at once. */
  readonly isOpen: boolean;
}

const nothingYet: ShownFacts = { nodes: [], isOpen: false };

const Trees = memo(function Trees({ isOpen, nodes }: ShownFacts): ReactElement {
  return (
    <>
      <Tree
        title="Trusted facts (from the certificate)"
        nodes={nodes.filter(({ name }) => name === 'trusted').flatMap(({ children }) => children)}
        isOpen={isOpen}
      />
      <Tree
        title="Facts (reported by the agent)"
        nodes={nodes.filter(({ name }) => name !== 'trusted')}
        isOpen={isOpen}
      />
    </>
  );
});

interface TreeProps extends ShownFacts {
  readonly title: string;
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
          {node.children.length === 0 ? <Leaf node={node} /> : <Part node={node} isOpen={isOpen} />}
        </li>
      ))}
    </ul>
  );
}

/** A structured fact. Its parts become elements when it is opened: a node may have thousands. */
function Part({ isOpen, node }: { readonly node: FactNode; readonly isOpen: boolean }): ReactElement {
  const [isOpened, setOpened] = useState(false);
  return (
    <details open={isOpen || undefined} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
      <summary className={treeStyles.summary}>
        <span className={treeStyles.factName}>{visibleText(node.name)}</span>
        <span className={styles.clipped}>{valueText(node.value)}</span>
      </summary>
      {isOpen || isOpened ? <Branch nodes={node.children} isOpen={isOpen} /> : undefined}
    </details>
  );
}

const Leaf = memo(function Leaf({ node }: { readonly node: FactNode }): ReactElement {
  const { name, path, value } = node;
  const isPlain = value !== null && typeof value !== 'object' && String(value).length <= 200;
  return (
    <div className={treeStyles.leaf}>
      <span className={treeStyles.factName}>{visibleText(name)}</span>
      <code className={treeStyles.factValue}>{valueText(value)}</code>
      <span className={treeStyles.leafActions}>
        {isPlain ? (
          <QuickLink
            link={{ to: '/nodes', search: { q: termText(filterField(path), String(value)) } }}
            label={`Find nodes with this value of ${path}`}
          >
            Find nodes
          </QuickLink>
        ) : undefined}
        {isPlainPath(path) ? (
          <QuickLink link={{ to: '/facts', search: { path } }} label={`All values of ${path}`}>
            All values
          </QuickLink>
        ) : undefined}
        <UseInRule fact={path} value={value} />
        <CopyButton text={path} label={`Copy path ${path}`} />
      </span>
    </div>
  );
});

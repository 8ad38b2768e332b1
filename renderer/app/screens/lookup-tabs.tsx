import type { ComponentType } from 'react';
import type { Connection } from '../../../shared/domain/connection.ts';
import { CompareScreen } from '../../features/compare/compare-screen.tsx';
import { LookupScreen } from '../../features/lookup/lookup-screen.tsx';
import { OperationsTab } from '../../features/operations/operations-tab.tsx';
import { RewriteScreen } from '../../features/rewrite/rewrite-screen.tsx';

export interface LookupTab {
  /** Named in a wish: `go('lookup', { tab: 'operations' })`. */
  id: string;
  label: string;
  /** Drawn anew for another connection. */
  Content: ComponentType<{ connection: Connection }>;
}

/** What stands behind each tab of the lookup screen, each from a feature of its own: features import none of each other. */
export const lookupTabs: readonly [LookupTab, ...LookupTab[]] = [
  {
    id: 'search',
    label: 'Search',
    Content: ({ connection }) => <LookupScreen connectionId={connection.id} connection={connection} />,
  },
  { id: 'operations', label: 'Operations', Content: OperationsTab },
  { id: 'compare', label: 'Side by side', Content: CompareScreen },
  { id: 'rewrite', label: 'Rewrite a request', Content: () => <RewriteScreen /> },
];

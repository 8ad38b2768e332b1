import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Age } from '../../components/elapsed.tsx';
import { Logo } from '../../components/logo.tsx';
import { Kbd } from '../../components/marks.tsx';
import { formatAge, formatNumber } from '../../lib/text/format.ts';
import { part } from '../../lib/window/part.tsx';
import { ariaShortcut, shortcutText } from '../../lib/window/shortcuts.ts';
import { type ChipConnection, ConnectionChip } from './connection-chip.tsx';

const ConnectionMenu = part(
  async () => (await import('./connection-menu.tsx')).ConnectionMenu,
  ({ current, onEarly }) => <ConnectionChip current={current} onClick={onEarly} />,
);

export interface ChipBalance {
  credits: number;
  /** Whose figure it is: "Contact centre key". */
  source: string;
  /** ISO time of the reading. */
  at: string;
}

export interface TopBarProps {
  connections: readonly ChipConnection[];
  current: ChipConnection | null;
  onSwitch: (connectionId: string) => void;
  onManage: () => void;
  /** null: never read with a key that the connection has, or the service sent no number; undefined: not known. */
  balance: ChipBalance | null | undefined;
  onOpenPalette: () => void;
  onOpenCredits: () => void;
}

/** Brand, connection, palette and balance. */
export function TopBar(props: TopBarProps) {
  const [early, setEarly] = useState(false);
  return (
    <header>
      <button type="button" className="skip" onClick={() => document.getElementById('screen')?.focus()}>
        Skip to the screen
      </button>
      <div className="brand">
        <Logo />
        <span>Address Console</span>
      </div>
      <div className="topbar">
        <div className="row">
          <ConnectionMenu {...props} early={early} onEarly={() => setEarly(true)} />
        </div>
        <button
          type="button"
          className="palette-hint"
          onClick={props.onOpenPalette}
          aria-keyshortcuts={ariaShortcut('palette')}
        >
          <IconSearch size={14} className="ti" aria-hidden="true" />
          <span className="grow hint">Find a command, screen or address</span>
          <span aria-hidden="true">
            <Kbd>{shortcutText('palette')}</Kbd>
          </span>
        </button>
        <div className="row end">
          <Balance current={props.current} balance={props.balance} onOpen={props.onOpenCredits} />
        </div>
      </div>
    </header>
  );
}

interface BalanceProps extends Pick<TopBarProps, 'current' | 'balance'> {
  onOpen: () => void;
}

function Balance({ current, balance, onOpen }: BalanceProps) {
  if (!current) return <span className="sm t3 nowrap">Balance: no connection</span>;
  return (
    <button type="button" className="chip line balance" onClick={onOpen} title="Open Credits">
      {balance ? (
        <>
          <span className="spoken">Balance: </span>
          <span className="b tn">{formatNumber(balance.credits)}</span>
          <span className="t2">{formatNumber(balance.credits) === '1' ? 'credit' : 'credits'}</span>
          <span className="t3 sm from">
            <span className="trunc">{balance.source}</span>
            <span className="nowrap">
              · <Age since={balance.at} format={formatAge} />
            </span>
          </span>
        </>
      ) : (
        <span className="t3 sm">{balance === null ? 'Balance not read' : 'Balance'}</span>
      )}
    </button>
  );
}

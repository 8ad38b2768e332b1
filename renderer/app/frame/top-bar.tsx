import { Menu } from '@mantine/core';
import { IconCheck, IconChevronDown, IconSearch, IconSettings } from '@tabler/icons-react';
import type { ConnectionKind } from '../../../shared/domain/connection.ts';
import { Logo } from '../../components/logo.tsx';
import { Kbd, Tag } from '../../components/marks.tsx';
import { Age } from '../../components/state.tsx';
import { formatAge, formatNumber } from '../../lib/text/format.ts';
import { ariaShortcut, shortcutText } from '../../lib/window/shortcuts.ts';

export interface ChipConnection {
  id: string;
  name: string;
  kind: ConnectionKind;
  /** CSS hex colour. */
  colour: string;
}

export interface ChipBalance {
  credits: number;
  /** Whose figure it is: "Contact centre key". */
  source: string;
  /** ISO time of the reading. */
  at: string;
}

export const kindText: Record<ConnectionKind, string> = { production: 'Production', test: 'Test', demo: 'Demo' };

interface TopBarProps {
  connections: readonly ChipConnection[];
  current: ChipConnection | null;
  onSwitch: (connectionId: string) => void;
  onManage: () => void;
  balance: ChipBalance | null;
  onOpenPalette: () => void;
  onOpenCredits: () => void;
}

/** Brand, connection, palette and balance. */
export function TopBar(props: TopBarProps) {
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
          <ConnectionMenu {...props} />
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

function ConnectionMenu({ connections, current, onSwitch, onManage }: TopBarProps) {
  return (
    <Menu position="bottom-start" width={264}>
      <Menu.Target>
        <button type="button" className="chip">
          <span className="spoken">Connection: </span>
          <ColourDot colour={current?.colour ?? null} />
          <span className={current ? 'm trunc' : 'trunc'}>{current?.name ?? 'No connection yet'}</span>
          {current && <Tag {...(current.kind === 'production' ? { tone: 'prod' } : {})}>{kindText[current.kind]}</Tag>}
          <IconChevronDown size={14} className="ti t3" aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {connections.length > 0 && <Menu.Label>Connections</Menu.Label>}
        {connections.map((connection) => (
          <Menu.Item
            key={connection.id}
            leftSection={<ColourDot colour={connection.colour} />}
            rightSection={
              connection.id === current?.id ? (
                <IconCheck size={14} className="ti" role="img" aria-label="in use" />
              ) : (
                <span className="xs t3">{kindText[connection.kind]}</span>
              )
            }
            onClick={() => connection.id !== current?.id && onSwitch(connection.id)}
          >
            {connection.name}
          </Menu.Item>
        ))}
        {connections.length > 0 && <Menu.Divider />}
        <Menu.Item leftSection={<IconSettings size={14} className="ti t3" aria-hidden="true" />} onClick={onManage}>
          {connections.length > 0 ? 'Connections…' : 'Set up a connection…'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ColourDot({ colour }: { colour: string | null }) {
  return colour === null ? (
    <span className="dot hollow" aria-hidden="true" />
  ) : (
    <span className="dot" style={{ background: colour }} aria-hidden="true" />
  );
}

interface BalanceProps {
  current: ChipConnection | null;
  balance: ChipBalance | null;
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
          <span className="t3 sm from trunc">
            {balance.source} · <Age since={balance.at} format={formatAge} />
          </span>
        </>
      ) : (
        <span className="t3 sm">Balance not read</span>
      )}
    </button>
  );
}

import { Checkbox } from '@mantine/core';
import type { BatchKind, OpenTable } from '../../../../shared/domain/batch.ts';
import { countOf, formatNumber } from '../../../lib/text/format.ts';
import { changeBatchForm, useBatchForm } from '../batch-store.ts';
import { formatBounds, kindNames, wantNames } from '../messages.ts';

interface KindChoiceProps {
  table: OpenTable;
  disabled: boolean;
  onKind: (kind: BatchKind) => void;
}

/** What the rows are; an impossible choice is grey, with its reason. */
export function KindChoice({ table, disabled, onKind }: KindChoiceProps) {
  return (
    <fieldset className="batch-pick kinds">
      <legend className="h">What the table contains</legend>
      {table.kinds.map(({ kind, rows, not }) => (
        <label key={kind} className="batch-option" data-on={kind === table.kind} data-off={not !== null}>
          <input
            type="radio"
            className="spoken"
            name="batch-kind"
            checked={kind === table.kind}
            disabled={disabled || not !== null}
            onChange={() => onKind(kind)}
          />
          <span className="grow">
            <span className="m">{kindNames[kind]}</span>
            <span className="xs">{not ?? `${formatNumber(rows)} of ${countOf(table.rows, 'row')}`}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** What is wanted, each with its price for just this table. */
export function WantChoice({ connectionId, table }: { connectionId: string; table: OpenTable }) {
  const { wants } = useBatchForm(connectionId);
  return (
    <fieldset className="batch-pick">
      <legend className="h row between wrap">
        What do you want to know
        <span className="xs t3">credits for this table, each on its own, from published prices and what is saved</span>
      </legend>
      {table.wants.map(({ want, not, each, credits }) => {
        const on = wants.includes(want);
        return (
          <label
            key={want}
            htmlFor={`batch-want-${want}`}
            className="batch-option"
            data-on={on}
            data-off={not !== null}
          >
            <Checkbox
              id={`batch-want-${want}`}
              checked={on}
              disabled={not !== null}
              onChange={() =>
                changeBatchForm(connectionId, {
                  wants: on ? wants.filter((one) => one !== want) : [...wants, want],
                })
              }
              aria-describedby={`batch-price-${want}`}
            />
            <span className="grow">
              <span className="m">{wantNames[want]}</span>
              {(not ?? each) !== 'free' && <span className="xs">{not ?? each}</span>}
            </span>
            {not === null && (
              <span id={`batch-price-${want}`} className={`sm tn nowrap ${on ? 'accent m' : 't2'}`}>
                {credits === null ? 'not published' : credits.most === 0 ? 'free' : formatBounds(credits)}
              </span>
            )}
          </label>
        );
      })}
      {wants.includes('all-premises') && (
        <p className="xs t2 batch-wide">
          All premises there: this makes new address records. Your provider’s terms decide who may see them.
        </p>
      )}
    </fieldset>
  );
}

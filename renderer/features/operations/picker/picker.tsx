import { TextInput } from '@mantine/core';
import { IconAlertTriangle, IconBookmark, IconChevronDown, IconSearch } from '@tabler/icons-react';
import { Fragment, type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { OperationForm, SavedLookup } from '../../../../shared/contract/operations.ts';
import { Tag } from '../../../components/marks.tsx';
import { PriceNote } from '../../../components/money/price-button.tsx';
import { countOf } from '../../../lib/text/format.ts';
import { type Entry, type Group, groupEntries } from './groups.ts';

interface PickerProps {
  forms: readonly OperationForm[];
  /** null: not known. */
  saved: readonly SavedLookup[] | null;
  typed: string;
  onType: (text: string) => void;
  /** Id of the entry that is shown. */
  selected: string | null;
  onChoose: (entry: Entry) => void;
  box: RefObject<HTMLInputElement | null>;
}

type Line = { kind: 'group'; id: string; group: Group } | { kind: 'entry'; id: string; entry: Entry; group: Group };

/** Everything that can be called, in groups, found by typing. Arrows move, left and right close and open a group, Enter chooses. */
export function Picker({ forms, saved, typed, onType, selected, onChoose, box }: PickerProps) {
  const id = useId();
  const tree = useRef<HTMLDivElement>(null);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState<string | null>(null);
  const groups = useMemo(() => groupEntries(forms, saved ?? [], typed), [forms, saved, typed]);
  const isOpen = (group: Group) => typed.trim() !== '' || !closed.has(group.id);
  const lines: Line[] = groups.flatMap((group) => [
    { kind: 'group', id: `group/${group.id}`, group } as const,
    ...(isOpen(group)
      ? group.entries.map((entry) => ({ kind: 'entry', id: `entry/${entry.id}`, entry, group }) as const)
      : []),
  ]);
  const at = lines.findIndex((line) => line.id === active);
  const found = groups.reduce((sum, group) => sum + group.entries.length, 0);

  useEffect(() => {
    if (active !== null) tree.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const toggle = (group: Group, open: boolean) =>
    setClosed((now) => {
      const next = new Set(now);
      if (open) next.delete(group.id);
      else next.add(group.id);
      return next;
    });
  const moveTo = (index: number) => setActive(lines[Math.min(lines.length - 1, Math.max(0, index))]?.id ?? null);
  const openFirst = () => {
    const first = lines.find((line) => line.kind === 'entry');
    if (first?.kind === 'entry') {
      setActive(first.id);
      onChoose(first.entry);
    }
  };

  const onTreeKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const line = lines[at];
    const target = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: lines.length - 1,
      PageDown: at + 12,
      PageUp: at - 12,
    }[event.key];
    if (target !== undefined) moveTo(target);
    else if (event.key === 'Enter' || event.key === ' ') {
      if (line?.kind === 'group') toggle(line.group, !isOpen(line.group));
      else if (line) onChoose(line.entry);
    } else if (event.key === 'ArrowLeft' && line) {
      if (line.kind === 'entry') setActive(`group/${line.group.id}`);
      else toggle(line.group, false);
    } else if (event.key === 'ArrowRight' && line?.kind === 'group') {
      if (isOpen(line.group)) moveTo(at + 1);
      else toggle(line.group, true);
    } else return;
    event.preventDefault();
  };

  return (
    <section className="ops-picker col" aria-label="Operations">
      <search className="subbar ops-find">
        <TextInput
          ref={box}
          className="grow low"
          placeholder={`Find among ${countOf(forms.filter(({ known, blocked }) => known !== 'guide' || blocked === null).length, 'operation')}`}
          aria-label="Find an operation"
          value={typed}
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onType(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') openFirst();
            else if (event.key === 'ArrowDown') {
              if (at < 0) moveTo(0);
              tree.current?.focus();
            } else return;
            event.preventDefault();
          }}
          leftSection={<IconSearch size={14} className="ti" aria-hidden="true" />}
        />
      </search>
      <span className="spoken" role="status">
        {typed.trim() === '' ? '' : `${countOf(found, 'operation')} found`}
      </span>
      {groups.length === 0 && (
        <p className="pad t2 sm">
          {saved ? 'Nothing' : 'No operation'} matches “{typed.trim()}”.{' '}
          <button type="button" className="link" onClick={() => onType('')}>
            Show all
          </button>
        </p>
      )}
      <div
        ref={tree}
        className="ops-tree"
        role="tree"
        aria-label="Operations by group"
        tabIndex={0}
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        onKeyDown={onTreeKey}
        onFocus={(event) => {
          if (at < 0 && event.currentTarget.matches(':focus-visible'))
            setActive(selected === null ? (lines[0]?.id ?? null) : `entry/${selected}`);
        }}
      >
        {lines.map((line, index) =>
          line.kind === 'group' ? (
            // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the tree holds the focus and the keys
            <div
              key={line.id}
              id={`${id}-${index}`}
              role="treeitem"
              aria-level={1}
              aria-expanded={isOpen(line.group)}
              aria-selected={false}
              data-active={index === at}
              className="ops-group"
              onClick={() => {
                setActive(line.id);
                toggle(line.group, !isOpen(line.group));
              }}
            >
              <IconChevronDown size={12} className="ti ops-chevron" aria-hidden="true" />
              <span className="m trunc">{line.group.label}</span>
              <span className="grow" />
              {line.group.marked ? (
                <Tag tone="warn">{line.group.entries.length} not published</Tag>
              ) : (
                line.group.entries.length
              )}
            </div>
          ) : (
            // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the tree holds the focus and the keys
            <div
              key={line.id}
              id={`${id}-${index}`}
              role="treeitem"
              aria-level={2}
              aria-selected={line.entry.id === selected}
              data-active={index === at}
              className="ops-entry"
              onClick={() => {
                setActive(line.id);
                onChoose(line.entry);
              }}
            >
              {line.entry.kind === 'saved' ? (
                <SavedLine saved={line.entry.saved} />
              ) : (
                <OperationLine form={line.entry.form} />
              )}
            </div>
          ),
        )}
      </div>
    </section>
  );
}

/** A whole name, which may break before one of its words. */
const breakable = (name: string) =>
  name.split(name.includes('_') ? /(?<=_)/ : /(?<=[a-z])(?=[A-Z])/).map((word, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the words of a name do not move
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {word}
    </Fragment>
  ));

/** An operation in the picker: why it cannot be called, or its price. */
function OperationLine({ form }: { form: OperationForm }) {
  return (
    <>
      <span className="ops-entry-name">{breakable(form.name)}</span>
      <span className="ops-entry-end">
        {form.twin && (
          <span className="xs t3" title="Has a data-set twin">
            +D<span className="spoken"> has a data-set twin</span>
          </span>
        )}
        {form.blocked !== null && !form.writes ? (
          <span className="xs t3 nowrap">cannot be called</span>
        ) : form.writes ? (
          <span className="xs t3 nowrap">under Licences</span>
        ) : (
          <PriceNote price={form.price} />
        )}
        {form.known !== 'published' && (
          <IconAlertTriangle size={13} className="ti warn" aria-label="not published" role="img" />
        )}
      </span>
    </>
  );
}

/** A saved lookup in the picker, with the operation it calls. */
function SavedLine({ saved }: { saved: SavedLookup }) {
  return (
    <>
      <IconBookmark size={13} className="ti t3" aria-hidden="true" />
      <span className="trunc grow" title={saved.name}>
        {saved.name}
      </span>
      <span className="xs t3 trunc ops-of" title={saved.operation}>
        {saved.operation}
      </span>
    </>
  );
}

import { Autocomplete, Button, TextInput } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { SavedLookup } from '../../../../shared/contract/operations.ts';
import type { ChannelInput } from '../../../../shared/contract.ts';
import { Notice } from '../../../components/notice.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { announce } from '../../../lib/window/announce.ts';
import { savedKey } from '../queries.ts';

interface SavedPartProps {
  /** The saved lookup that filled the form; null: none. */
  current: SavedLookup | null;
  folders: readonly string[];
  asked: ChannelInput<'operations.price'>;
  /** What is filled in cannot be saved. */
  disabled: boolean;
  onCurrent: (savedId: string | null) => void;
  removed: SavedLookup | null;
  onRemoved: (lookup: SavedLookup | null) => void;
}

/** In two folders one name is two lookups. */
const pathOf = ({ folder, name }: Pick<SavedLookup, 'folder' | 'name'>): string =>
  folder === '' ? name : `${folder} / ${name}`;

/** Saves what is filled in under a name and in a folder; renames, deletes, and undoes a deletion. */
export function SavedPart({ current, folders, asked, disabled, onCurrent, removed, onRemoved }: SavedPartProps) {
  const client = useQueryClient();
  const [editing, setEditing] = useState<'new' | 'rename' | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: savedKey });
  const remove = useMutation({
    mutationFn: (lookup: SavedLookup) => call('operations.remove', { savedId: lookup.id }),
    meta: { subject: (lookup: SavedLookup) => `Deleting ${pathOf(lookup)}` },
    onSuccess: async (_done, lookup) => {
      announce(`Deleted ${lookup.name}`);
      onRemoved(lookup);
      onCurrent(null);
      await refresh();
    },
  });
  const restore = useMutation({
    mutationFn: (lookup: SavedLookup) => call('operations.restore', { savedId: lookup.id }),
    meta: { subject: (lookup: SavedLookup) => `Bringing back ${pathOf(lookup)}` },
    onSuccess: async (lookup) => {
      announce(`${lookup.name} is back`);
      onRemoved(null);
      onCurrent(lookup.id);
      await refresh();
    },
  });
  const failure = remove.error ?? restore.error;
  return (
    <section className="col g6" aria-label="Saved lookup">
      {removed && (
        <Notice
          action={
            <Button className="small" loading={restore.isPending} onClick={() => restore.mutate(removed)}>
              Undo
            </Button>
          }
        >
          Deleted “{removed.name}”.
        </Notice>
      )}
      {failure && (
        <Notice tone="danger" announce>
          {errorOf(failure).message} {errorOf(failure).next}
        </Notice>
      )}
      {editing === 'rename' || (editing === 'new' && !disabled) ? (
        <NameForm
          current={editing === 'rename' ? current : null}
          folders={folders}
          asked={asked}
          onDone={async (lookup) => {
            setEditing(null);
            if (!lookup) return;
            onRemoved(null);
            onCurrent(lookup.id);
            await refresh();
          }}
        />
      ) : (
        <div className="row wrap g6 sm">
          <IconBookmark size={14} className="ti t3" aria-hidden="true" />
          {current && (
            <>
              <span className="m trunc" title={current.name}>
                {pathOf(current)}
              </span>
              <button type="button" className="link" onClick={() => setEditing('rename')}>
                Rename
              </button>
              <button type="button" className="link" disabled={remove.isPending} onClick={() => remove.mutate(current)}>
                Delete
              </button>
            </>
          )}
          <button type="button" className="link" disabled={disabled} onClick={() => setEditing('new')}>
            {current ? 'Save as new' : 'Save this lookup'}
          </button>
        </div>
      )}
    </section>
  );
}

interface NameFormProps {
  current: SavedLookup | null;
  folders: readonly string[];
  asked: ChannelInput<'operations.price'>;
  /** null: left without saving. */
  onDone: (saved: SavedLookup | null) => void;
}

function NameForm({ current, folders, asked, onDone }: NameFormProps) {
  const [name, setName] = useState(current?.name ?? '');
  const [folder, setFolder] = useState(current?.folder ?? '');
  const save = useMutation({
    mutationFn: () => {
      const { operation, dataset = false, fields } = asked;
      return current
        ? call('operations.rename', { savedId: current.id, name, folder })
        : call('operations.save', { name, folder, operation, dataset, fields });
    },
    meta: { subject: current ? `Renaming ${pathOf(current)}` : `Saving ${pathOf({ folder, name })}` },
    onSuccess: (saved) => {
      announce(current ? `Renamed to ${saved.name}` : `Saved ${saved.name}`);
      onDone(saved);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (name.trim() !== '' && !save.isPending) save.mutate();
  };
  return (
    <form
      className="col g6 ops-name"
      onSubmit={submit}
      aria-label={current ? 'Rename the saved lookup' : 'Save this lookup'}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onDone(null);
      }}
    >
      <TextInput
        label="Name"
        data-autofocus
        autoFocus
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={save.error ? errorOf(save.error).message : null}
      />
      <Autocomplete
        label="Folder"
        size="xs"
        description="Leave it empty for none."
        maxLength={80}
        data={[...folders]}
        value={folder}
        onChange={setFolder}
        comboboxProps={{ withinPortal: false, floatingStrategy: 'fixed' }}
      />
      <div className="row">
        <Button type="submit" disabled={name.trim() === ''} loading={save.isPending}>
          {current ? 'Rename' : 'Save lookup'}
        </Button>
        <Button variant="subtle" color="gray" onClick={() => onDone(null)}>
          Leave it
        </Button>
      </div>
    </form>
  );
}

import { Button, Menu, Modal, TextInput } from '@mantine/core';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { isFiltering, type LicenceFilter } from '../../../../shared/domain/licences/licence-filter.ts';
import { Failure } from '../../../components/failure.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { useOwnRead, useSaveAnnotations } from '../annotations.ts';

interface SavedViewsProps {
  connectionId: string;
  filter: LicenceFilter;
  onFilter: (filter: LicenceFilter) => void;
}

/** Filters saved under a name. Saving under an existing name replaces its filter. */
export function SavedViews({ connectionId, filter, onFilter }: SavedViewsProps) {
  const { data } = useOwnRead(connectionId);
  const views = data?.views ?? [];
  const remove = useSaveAnnotations(connectionId);
  const [naming, setNaming] = useState(false);
  const [name, setName] = useState('');
  const now = views.find((view) => JSON.stringify(view.filter) === JSON.stringify(filter));
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <button type="button" className="chip line facet" data-on={now !== undefined}>
            <IconBookmark size={13} className="ti t3" aria-hidden="true" />
            <span className="t2">View</span>
            {now && <span className="m">{now.name}</span>}
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {data && <Menu.Label>{views.length === 0 ? 'No view is saved yet' : 'Saved views'}</Menu.Label>}
          {views.map((view) => (
            <Menu.Item key={view.name} onClick={() => onFilter(view.filter)}>
              {view.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {/* Not disabled: in a menu whose only item is disabled nothing can take the focus. */}
          <Menu.Item
            aria-disabled={!isFiltering(filter)}
            closeMenuOnClick={isFiltering(filter)}
            onClick={() => isFiltering(filter) && setNaming(true)}
          >
            Save this filter as a view…
          </Menu.Item>
          {now && (
            <Menu.Item
              leftSection={<IconTrash size={14} aria-hidden="true" />}
              onClick={() => {
                remove.mutate({
                  ask: () => call('licences.remove-view', { connectionId, name: now.name }),
                  doing: `Removing the view ${now.name}`,
                  done: `View ${now.name} removed`,
                });
                // No place here shows its failure: a notice does.
                remove.reset();
              }}
            >
              Remove the view {now.name}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {naming && (
        <NameView
          connectionId={connectionId}
          filter={filter}
          name={name}
          onName={setName}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

interface NameViewProps {
  connectionId: string;
  filter: LicenceFilter;
  /** What is typed and not saved; it stays when this is closed. */
  name: string;
  onName: (name: string) => void;
  onClose: () => void;
}

function NameView({ connectionId, filter, name, onName, onClose }: NameViewProps) {
  const save = useSaveAnnotations(connectionId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const view = name.trim();
    save.mutate(
      {
        ask: () => call('licences.save-view', { connectionId, name: view, filter }),
        doing: `Saving the view ${view}`,
        done: `View ${view} saved`,
      },
      {
        onSuccess: () => {
          onName('');
          onClose();
        },
      },
    );
  };
  return (
    <Modal opened onClose={onClose} title="Save a view">
      <form onSubmit={submit} className="col g12">
        <TextInput
          label="Name of the view"
          value={name}
          maxLength={80}
          data-autofocus
          onChange={(event) => onName(event.currentTarget.value)}
        />
        {save.error && <Failure error={errorOf(save.error)} />}
        <div className="row">
          <Button type="submit" variant="filled" disabled={name.trim() === '' || save.isPending}>
            Save
          </Button>
          <Button onClick={onClose}>Close</Button>
        </div>
      </form>
    </Modal>
  );
}

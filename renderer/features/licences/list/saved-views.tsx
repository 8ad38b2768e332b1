import { Button, Menu, Modal, TextInput } from '@mantine/core';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { isFiltering, type LicenceFilter } from '../../../../shared/domain/licences/licence-filter.ts';
import { Failure } from '../../../components/failure.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { about, errorOf } from '../../../lib/calls/errors.ts';
import { showFailure } from '../../../lib/window/failure-notices.ts';
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
  const save = useSaveAnnotations(connectionId);
  const remove = useSaveAnnotations(connectionId);
  const [naming, setNaming] = useState(false);
  const [name, setName] = useState('');
  const now = views.find((view) => JSON.stringify(view.filter) === JSON.stringify(filter));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      {
        ask: () => call('licences.save-view', { connectionId, name: name.trim(), filter }),
        done: `View ${name.trim()} saved`,
      },
      {
        onSuccess: () => {
          setNaming(false);
          setName('');
        },
      },
    );
  };
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
            onClick={() => {
              if (!isFiltering(filter)) return;
              save.reset();
              setNaming(true);
            }}
          >
            Save this filter as a view…
          </Menu.Item>
          {now && (
            <Menu.Item
              leftSection={<IconTrash size={14} aria-hidden="true" />}
              onClick={() =>
                remove.mutate(
                  {
                    ask: () => call('licences.remove-view', { connectionId, name: now.name }),
                    done: `View ${now.name} removed`,
                  },
                  // The form, which shows a failure, is closed.
                  { onError: (thrown) => showFailure(about(`Removing the view ${now.name}`, errorOf(thrown))) },
                )
              }
            >
              Remove the view {now.name}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={naming} onClose={() => setNaming(false)} title="Save a view">
        <form onSubmit={submit} className="col g12">
          <TextInput
            label="Name of the view"
            value={name}
            maxLength={80}
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {save.error && <Failure error={errorOf(save.error)} />}
          <div className="row">
            <Button type="submit" variant="filled" disabled={name.trim() === '' || save.isPending}>
              Save
            </Button>
            <Button onClick={() => setNaming(false)}>Close</Button>
          </div>
        </form>
      </Modal>
    </>
  );
}

import { Button } from '@mantine/core';
import { IconArrowLeft, IconListSearch } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import type { ChannelOutput } from '../../../shared/contract.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import { NotRead, NotReadAgain, ReadNotice } from '../../components/read-failure.tsx';
import { EmptyState, State } from '../../components/state.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { useDraft } from '../../lib/session/drafts.ts';
import { countOf } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { closeByEscape } from '../../lib/window/close-by-escape.ts';
import { useRouteParams } from '../../lib/window/routes.tsx';
import { isNarrow } from '../../lib/window/width.ts';
import { AnswerPane } from './answer/answer-pane.tsx';
import { OperationFormPane } from './form/operation-form.tsx';
import { changeForm, fillForm, formKey, useForm } from './form-state.ts';
import type { Entry } from './picker/groups.ts';
import { Picker } from './picker/picker.tsx';
import { listKey, listQuery, priceKey, savedQuery, useOperationNews } from './queries.ts';
import { type RunInput, run } from './runs.ts';
import './operations.css';

type Pane = 'list' | 'form' | 'answer';
const paneBefore: Record<Pane, Pane | null> = { list: null, form: 'list', answer: 'form' };
const backLabels: Record<Pane, string> = { list: '', form: 'Operations', answer: 'Form' };
const noForms: ChannelOutput<'operations.list'>['operations'] = [];
const noSaved: ChannelOutput<'operations.saved'>['saved'] = [];

/** Every operation of the service: found by typing, filled in from the catalogue, called at its price, its answer examined. */
export function OperationsTab({ connection }: { connection: Connection }) {
  const connectionId = connection.id;
  const client = useQueryClient();
  const list = useQuery(listQuery(connectionId));
  const savedList = useQuery(savedQuery());
  const [typed, setTyped] = useDraft('lookup/operations/find');
  const [chosen, setChosen] = useDraft(`lookup/operations/chosen/${connectionId}`);
  const [pane, setPane] = useState<Pane>('list');
  const box = useRef<HTMLInputElement>(null);
  const screen = useRef<HTMLDivElement>(null);
  const forms = list.data?.operations ?? noForms;
  const saved = savedList.data?.saved ?? noSaved;
  const form = forms.find(({ name }) => name === chosen) ?? null;
  // Calls name a twin by its own name: its form is that of its operation, with the switch on.
  const ofTwin = form ? undefined : forms.find(({ twin }) => twin === chosen)?.name;
  useLayoutEffect(() => {
    if (ofTwin === undefined) return;
    changeForm(formKey(connectionId, ofTwin), { dataset: true });
    setChosen(ofTwin);
  }, [connectionId, ofTwin, setChosen]);
  // If a saved lookup filled the form, the tree marks it and not its operation.
  const { savedId: formSavedId } = useForm(formKey(connectionId, chosen));
  const savedChosen = saved.find(({ id }) => id === formSavedId);

  useOperationNews(connectionId);
  const showPane = (next: Pane) => {
    setPane(next);
    // In a narrow window the pane that had the focus is hidden: the focus goes to the one now shown.
    requestAnimationFrame(() => {
      const active = document.activeElement;
      if (active instanceof HTMLElement && active !== document.body && active.offsetParent !== null) return;
      screen.current?.querySelector<HTMLElement>(`.ops-${next === 'list' ? 'tree' : next} ${focusIn[next]}`)?.focus();
      if (next === 'list') screen.current?.querySelector<HTMLElement>('.ops-tree')?.focus();
    });
  };
  const choose = (entry: Entry) => {
    if (entry.kind === 'saved') {
      const { operation, dataset, fields, id } = entry.saved;
      fillForm(connectionId, operation, { dataset, fields, savedId: id });
      setChosen(operation);
    } else {
      changeForm(formKey(connectionId, entry.id), { savedId: null });
      setChosen(entry.id);
    }
    showPane('form');
  };
  const onRun = (input: RunInput) => {
    if (!form) return;
    showPane('answer');
    void run(connection, form, input).then((result) => {
      const answered = result?.ok === true;
      announce(answered ? `${input.operation} answered` : `${input.operation} brought no answer`, !answered);
      void client.invalidateQueries({ queryKey: priceKey });
    });
  };
  useRouteParams('lookup', 'operations', ({ tab, operation, savedId, focus }) => {
    if (tab !== 'operations') return;
    const asked = saved.find(({ id }) => id === savedId);
    if (asked) choose({ kind: 'saved', id: `saved/${asked.id}`, saved: asked });
    else if (operation !== undefined) {
      setChosen(operation);
      showPane('form');
    }
    if (focus === 'find') queueMicrotask(() => box.current?.focus());
  });

  const back = paneBefore[pane];
  const onKeyDown = back === null ? undefined : closeByEscape(() => showPane(back), isNarrow);
  if (!list.data) return <NotRead of={list} />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is listened for on behalf of whatever holds the focus in it
    <div className="ops" data-pane={pane} ref={screen} onKeyDown={onKeyDown}>
      <div className="ops-left col">
        <NotReadAgain of={list} subject="The operations" />
        <Picker
          forms={forms}
          saved={savedList.data?.saved ?? null}
          typed={typed}
          onType={setTyped}
          selected={savedChosen ? `saved/${savedChosen.id}` : (form?.name ?? null)}
          onChoose={choose}
          box={box}
        />
        <ReadNotice of={savedList}>The saved lookups could not be read.</ReadNotice>
        <DescriptionNote connection={connection} describedAt={list.data.describedAt} />
      </div>
      {back !== null && (
        <div className="subbar ops-back">
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconArrowLeft size={15} className="ti" aria-hidden="true" />}
            onClick={() => showPane(back)}
          >
            {backLabels[pane]}
          </Button>
          {pane === 'form' && (
            <Button variant="subtle" color="gray" onClick={() => showPane('answer')}>
              Answer and history
            </Button>
          )}
        </div>
      )}
      {form ? (
        <>
          <section className="ops-form pane-r" aria-label="Operation">
            <OperationFormPane
              key={form.name}
              connection={connection}
              form={form}
              listSeparator={list.data.listSeparator}
              saved={saved}
              onRun={onRun}
            />
          </section>
          <AnswerPane key={form.name} connection={connection} form={form} onRun={onRun} />
        </>
      ) : (
        <div className="ops-none pane-r col grow">
          {chosen === '' ? (
            <EmptyState icon={<IconListSearch size={24} stroke={1.5} />} title="Choose an operation">
              {countOf(forms.filter(({ known }) => known === 'published').length, 'published operation')}, and what only
              this service’s description knows. Type to find one; choosing spends nothing.
            </EmptyState>
          ) : (
            <State kind="cannot-act" title={`${connection.name} has no operation ${chosen}`}>
              It is neither in the published interface nor in the description last read from this service. Read the
              description again under Connections, or choose another connection.
            </State>
          )}
        </div>
      )}
    </div>
  );
}

const focusIn: Record<Pane, string> = { list: '', form: 'h2', answer: '[role="tab"][tabindex="0"]' };

/** Whether the service's description has been read; without it nobody knows what else the service can do. */
function DescriptionNote({ connection, describedAt }: { connection: Connection; describedAt: string | null }) {
  const client = useQueryClient();
  const read = useMutation({
    mutationFn: () => call('connections.read-description', { connectionId: connection.id }),
    onSuccess: ({ operationsFound, operationsPublished, onlyInDescription }) => {
      announce(
        `Description read: ${operationsFound} of the catalogue’s ${operationsPublished} SOAP operations, ${onlyInDescription.length} only in the description`,
      );
      return client.invalidateQueries({ queryKey: listKey(connection.id) });
    },
  });
  if (connection.soapUrl === '' || (describedAt !== null && !read.error)) return null;
  return (
    <div className="ops-description pane-t">
      {read.error ? (
        <p className="xs danger" role="status">
          {errorOf(read.error).message} {errorOf(read.error).next}
        </p>
      ) : (
        <p className="xs t3">The service’s description has not been read; it may list more operations.</p>
      )}
      <Button className="small" loading={read.isPending} onClick={() => read.mutate()}>
        Read the description · free
      </Button>
    </div>
  );
}

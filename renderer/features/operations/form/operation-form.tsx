import { Button, Switch } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, Fragment, useDeferredValue, useMemo, useState } from 'react';
import type { OperationForm, SavedLookup } from '../../../../shared/contract/operations.ts';
import { type Connection, protocolNames, roleNames } from '../../../../shared/domain/connection.ts';
import { cacheModeAt, type ShownPrice } from '../../../../shared/domain/credits/credits.ts';
import { Mono, Tag } from '../../../components/marks.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { errorOf } from '../../../lib/calls/errors.ts';
import { useConnectionDialogs } from '../../../lib/connection/connection-dialogs.ts';
import { useConnection } from '../../../lib/connection/use-connection.ts';
import { useGo } from '../../../lib/window/routes.tsx';
import { askedOf, changeForm, excessOf, type FormState, formKey, textOf, useForm } from '../form-state.ts';
import { freshPrice } from '../fresh-price.ts';
import { priceQuery } from '../queries.ts';
import { type RunInput, runKey, runs } from '../runs.ts';
import { CopyAs } from './copy-as.tsx';
import { FieldInput } from './field-input.tsx';
import { SavedPart } from './saved-part.tsx';

interface OperationFormProps {
  connection: Connection;
  form: OperationForm;
  listSeparator: string;
  saved: readonly SavedLookup[];
  onRun: (input: RunInput) => void;
}

/** One operation: what it does, its fields, who pays, and the buttons that spend or copy. */
export function OperationFormPane({ connection, form, listSeparator, saved, onRun }: OperationFormProps) {
  const connectionId = connection.id;
  const key = formKey(connectionId, form.name);
  const state = useForm(key);
  const go = useGo();
  const { running, failure } = runs.use(runKey(connection, form));
  const [removed, setRemoved] = useState<SavedLookup | null>(null);
  const asked = useMemo(() => askedOf(connectionId, form, state), [connectionId, form, state]);
  const askedLater = useDeferredValue(asked);
  const fresh = freshPrice(form, asked);
  const excesses = useMemo(() => new Map(asked.fields.map(({ name, values }) => [name, excessOf(values)])), [asked]);
  const excess = form.fields.find(({ name }) => excesses.get(name));
  const price = useQuery({
    ...priceQuery(askedLater),
    enabled: form.blocked === null && !form.writes && excess === undefined && askedLater === asked,
  });
  // While main's answer for what is typed now is on its way, the full price is shown: a saved answer can only reduce it.
  const shown: ShownPrice = askedLater === asked && price.data ? price.data.price : fresh;
  const missing = form.fields.find((field) => field.required && textOf(state, field).trim() === '');
  const unset = form.filled.find((one) => one.missing);
  const reason = running
    ? 'This call is under way'
    : missing
      ? `${missing.label} is missing`
      : excess
        ? `${excess.label} has more than one call takes`
        : unset
          ? `${unset.name} is not set up`
          : undefined;
  const change = (patch: Partial<FormState>) => changeForm(key, patch);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason !== undefined) return;
    onRun({ ...asked, cache: cacheModeAt(shown) });
  };
  const errorOfField = (name: string) =>
    failure?.error.code === 'bad-input' && failure.error.field === name ? failure.error.message : null;

  return (
    <>
      <form className="ops-form-body" onSubmit={submit} aria-label={form.name}>
        <div className="col g4">
          <h2 className="title ops-name-of" tabIndex={-1}>
            {breakable(form.name)}
          </h2>
          <p className="sm t2">
            {form.help} {protocolNames[form.interface]}, result <Mono>{form.result}</Mono>.
          </p>
          {form.known !== 'published' && (
            <div className="row">
              <Tag tone="warn">{form.known === 'guide' ? 'shown in the guide only' : 'only in the description'}</Tag>
            </div>
          )}
        </div>
        {form.writes ? (
          <>
            <Notice>
              This changes a licence. It is done under Licences: planned from reads, agreed to by typing a name,
              journalled, and read back.
            </Notice>
            <div className="row">
              <Button variant="filled" onClick={() => go('licences')}>
                Open Licences
              </Button>
            </div>
          </>
        ) : (
          <>
            {form.blocked !== null && <Notice tone="warn">{form.blocked}</Notice>}
            {form.fields.map((field) => (
              <FieldInput
                key={field.name}
                field={field}
                value={textOf(state, field)}
                onChange={(text) => change({ values: { ...state.values, [field.name]: text } })}
                listSeparator={listSeparator}
                error={excesses.get(field.name) ?? errorOfField(field.name)}
              />
            ))}
            {form.twin !== null && (
              <Switch
                label="Answer as a data set"
                labelPosition="left"
                description={`calls ${form.twin}`}
                checked={state.dataset}
                onChange={(event) => change({ dataset: event.currentTarget.checked })}
                classNames={{ body: 'ops-twin' }}
              />
            )}
            {form.blocked === null && (
              <>
                <FilledPart filled={form.filled} />
                <div className="row wrap">
                  <PriceButton
                    main
                    type="submit"
                    price={shown}
                    // Not `disabled`: a disabled button cannot say why, and loses the focus while the call runs.
                    aria-disabled={reason !== undefined}
                    data-disabled={reason !== undefined}
                    title={reason}
                  >
                    {shown.kind === 'cached' ? 'Show' : 'Call'}
                  </PriceButton>
                  {shown.kind === 'cached' && (
                    <PriceButton
                      price={fresh}
                      aria-disabled={reason !== undefined}
                      data-disabled={reason !== undefined}
                      onClick={() => reason === undefined && onRun({ ...asked, cache: 'reload' })}
                    >
                      Ask again
                    </PriceButton>
                  )}
                  <CopyAs asked={asked} disabled={missing !== undefined || excess !== undefined} />
                </div>
                {price.error && <p className="xs danger">{errorOf(price.error).message}</p>}
                <p className="xs t3">
                  {priceText(shown)} The call is sent once: a failure after sending is never repeated automatically.
                </p>
              </>
            )}
          </>
        )}
      </form>
      {!form.writes && form.blocked === null && (
        <div className="ops-saved">
          <SavedPart
            // A name that is being typed belongs to the saved lookup that it was begun for.
            key={state.savedId}
            current={saved.find(({ id }) => id === state.savedId) ?? null}
            folders={[...new Set(saved.map(({ folder }) => folder).filter((folder) => folder !== ''))]}
            asked={asked}
            disabled={excess !== undefined}
            onCurrent={(savedId) => change({ savedId })}
            removed={removed}
            onRemoved={setRemoved}
          />
        </div>
      )}
    </>
  );
}

/** A long name breaks between its words. */
const breakable = (name: string) =>
  name.split(/(?<=_)|(?<=[a-z])(?=[A-Z])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one name never move
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));

function priceText(price: ShownPrice): string {
  switch (price.kind) {
    case 'cached':
      return 'This answer is saved, so showing it is free.';
    case 'measured':
      return `Measured on this account ${price.times === 1 ? 'once' : `${price.times} times`}; no price is published.`;
    case 'not-published':
      return 'No price is published for this operation.';
    case 'credits':
      return 'Price published by the provider.';
  }
}

/** What the connection fills in: settings in full, keys by their last four, since their values never reach the window. */
function FilledPart({ filled }: Pick<OperationForm, 'filled'>) {
  const go = useGo();
  const view = useConnection();
  const dialogs = useConnectionDialogs();
  // A demo connection cannot be completed: it is created with all its settings.
  const own = dialogs !== null && view !== null && view.connection.kind !== 'demo' ? view : null;
  if (filled.length === 0) return <p className="sm t2">Takes no credentials.</p>;
  return (
    <section aria-label="Credentials">
      <div className="row between">
        <span>
          <span className="h">Credentials</span>{' '}
          <span className="xs t3">
            {filled.some(({ from }) => from === 'keychain') ? 'from your saved keys' : 'from the connection'}
          </span>
        </span>
        <button type="button" className="link sm" onClick={() => go('connections')}>
          Change
        </button>
      </div>
      <dl className="ops-filled">
        {filled.map(({ name, label, from, shown, missing, role }) => (
          <div key={name} className="row">
            <dt className="t2 sm" title={label}>
              {name}
            </dt>
            <dd className="grow row">
              <span className={missing ? 'grow' : 'grow trunc'}>
                {shown !== '' ? (
                  <span className="sel">{shown}</span>
                ) : missing ? (
                  <>
                    <span className="warn">not set up</span>{' '}
                    {own && (
                      <button
                        type="button"
                        className="link"
                        onClick={() => (role === null ? dialogs?.edit(own) : dialogs?.addKey(own, role))}
                      >
                        {role === null ? 'Set it…' : 'Add it…'}
                        <span className="spoken"> {role === null ? label : roleNames[role]}</span>
                      </button>
                    )}
                  </>
                ) : (
                  <span className="t3">blank: {name === 'MachineID' ? 'not machine-bound' : 'not set'}</span>
                )}
              </span>
              {from === 'keychain' && shown !== '' && (
                <IconKey size={13} className="ti t3" role="img" aria-label="a saved key" />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

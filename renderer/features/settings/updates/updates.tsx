import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type UpdateMode, type UpdateState, updateModes } from '../../../../shared/contract/updates.ts';
import { Failure } from '../../../components/failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { runningCallsQuery, updateStateQuery } from '../../../lib/calls/queries.ts';
import { formatMoment } from '../../../lib/text/format.ts';
import { Setting } from '../setting.tsx';
import { formatUpdate, updateModeText } from './update-messages.ts';
import './updates.css';

/** What is done about newer versions, why, and what was found. */
export function Updates() {
  const { data: state } = useQuery(updateStateQuery());
  return (
    <section aria-labelledby="settings-updates">
      <h2 className="h" id="settings-updates">
        Updates
      </h2>
      {state && <UpdateParts state={state} />}
    </section>
  );
}

function UpdateParts({ state }: { state: UpdateState }) {
  const client = useQueryClient();
  const keep = (next: UpdateState) => client.setQueryData(updateStateQuery().queryKey, next);
  const choose = useMutation({
    mutationFn: (choice: { mode: UpdateMode; address: string }) => call('updates.choose', choice),
    meta: { subject: 'Changing the settings for updates' },
    onSuccess: keep,
  });
  const look = useMutation({ mutationFn: () => call('updates.look', {}), onSuccess: keep });
  const problem = choose.error ? errorOf(choose.error) : null;
  const off = state.mode === 'off';
  return (
    <>
      <Setting title="New versions" about={state.why}>
        <SegmentedControl
          aria-label="When there is a newer version"
          // Without an address nothing is done, whatever is chosen.
          disabled={state.address === ''}
          value={state.address === '' ? 'off' : state.chosen}
          onChange={(mode) => choose.mutate({ mode: mode as UpdateMode, address: state.address })}
          data={updateModes.map((mode) => ({
            value: mode,
            label: updateModeText[mode],
            disabled: updateModes.indexOf(mode) > updateModes.indexOf(state.most),
          }))}
        />
        {state.most !== 'automatic' && (
          <p className="sm t2">
            A policy of this computer allows “{updateModeText[state.most]}” {state.most === 'off' ? 'alone' : 'at most'}
            .
          </p>
        )}
      </Setting>
      <AddressField
        state={state}
        problem={problem?.field === 'address' ? problem.message : null}
        onSave={(address) => choose.mutate({ mode: state.chosen, address })}
      />
      {problem && problem.field !== 'address' && <Failure error={problem} />}
      <Setting
        title="Look for a newer version"
        about={off ? 'It does not look automatically now.' : 'Automatically at the start, and once a day.'}
      >
        <div className="row wrap">
          <Button
            disabled={off || state.stage === 'looking' || state.stage === 'downloading' || look.isPending}
            onClick={() => look.mutate()}
          >
            Look now
          </Button>
          {state.stage === 'ready' && <Restart />}
          {state.lastLooked !== null && <span className="sm t3">Last looked {formatMoment(state.lastLooked)}.</span>}
        </div>
        {look.error && <Failure error={errorOf(look.error)} />}
        <Found state={state} />
      </Setting>
    </>
  );
}

interface AddressFieldProps {
  state: UpdateState;
  problem: string | null;
  onSave: (address: string) => void;
}

/** Saved when the field is left or Enter is pressed; before that updates would be looked for at half an address. */
function AddressField({ state, problem, onSave }: AddressFieldProps) {
  const [address, setAddress] = useState(state.address);
  const [seen, setSeen] = useState(state.address);
  // Not in an effect: when the screen is shown again all of them run, and what was refused would go.
  if (state.address !== seen) {
    setSeen(state.address);
    setAddress(state.address);
  }
  const save = () => {
    if (!state.addressLocked && address.trim() !== state.address) onSave(address);
  };
  return (
    <Setting
      title="Update address"
      about={
        state.addressLocked
          ? 'Set by a policy of this computer.'
          : 'The https folder with the releases. When it is asked, it sees your network address, as any server does, and which system a version is wanted for. Leave it empty to look for none.'
      }
    >
      <TextInput
        className="update-address"
        aria-label="Update address"
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
        onBlur={save}
        onKeyDown={(event) => event.key === 'Enter' && save()}
        readOnly={state.addressLocked}
        error={problem}
        maxLength={2000}
        spellCheck={false}
        placeholder="https://"
      />
    </Setting>
  );
}

/** The newest version and its notes, which come from outside and are shown as plain text. */
function Found({ state }: { state: UpdateState }) {
  const said = formatUpdate(state);
  const { latest, percent, stage } = state;
  const notes = latest !== null && latest.is !== 'not-newer' ? latest.notes : '';
  const tone = said?.tone === 'accent' ? undefined : said?.tone;
  return (
    <>
      <div className="update-found" role="status">
        {said && <Notice {...(tone === undefined ? {} : { tone })}>{said.text}</Notice>}
      </div>
      {stage === 'downloading' && (
        // Not inside the status region: each percent would be read aloud.
        <div className="row g12 update-progress">
          <progress aria-label="Fetched" max={100} {...(percent === null ? {} : { value: percent })} />
          {percent !== null && <span className="sm t2">{percent} %</span>}
        </div>
      )}
      {notes !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by the keyboard
        <section className="update-notes" aria-label={`Notes of version ${latest?.version}`} tabIndex={0}>
          {notes}
        </section>
      )}
    </>
  );
}

function Restart() {
  const { data: running } = useQuery(runningCallsQuery());
  const install = useMutation({ mutationFn: () => call('updates.install', {}) });
  const busy = (running?.length ?? 0) > 0;
  return (
    <>
      <Button disabled={!running || busy || install.isPending || install.isSuccess} onClick={() => install.mutate()}>
        Restart and install
      </Button>
      {busy && <span className="sm t2">Once the call under way has ended.</span>}
      {install.error && <Failure error={errorOf(install.error)} />}
    </>
  );
}

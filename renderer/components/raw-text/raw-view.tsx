import { ActionIcon, Button, Loader, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconCopy, IconDownload, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useDeferredValue, useEffect, useState } from 'react';
import { call } from '../../lib/calls/bridge.ts';
import { countOf, formatBytes, formatNumber } from '../../lib/text/format.ts';
import { saveInParts } from '../../lib/window/save-in-parts.ts';
import { useCopy } from '../../lib/window/use-copy.ts';
import { CopiedNote } from '../copied-note.tsx';
import { ReadFailure } from '../read-failure.tsx';
import { findQuery, linesQuery, type RawWhich } from './queries.ts';
import { RawLines } from './raw-lines.tsx';
import './raw-text.css';

/**
 * Request and answer as they went over the wire, secrets masked: indented, folded, searched; only lines in sight are drawn. `answerId`: or
 * the id of a call that failed.
 */
export function RawView({ answerId, start = 'answer' }: { answerId: string; start?: RawWhich['side'] }) {
  const [side, setSide] = useState<RawWhich['side']>(start);
  const [indented, setIndented] = useState(true);
  const [sought, setSought] = useState('');
  const [at, setAt] = useState(0);
  const { copied, report } = useCopy();
  const which: RawWhich = { answerId, side, indented };
  // Laid out in lines, a text of megabytes is about three times as long: main releases it when this view closes.
  useEffect(() => () => void call('operations.raw-close', { answerId }).catch(() => {}), [answerId]);
  const text = useDeferredValue(sought.trim());
  const first = useQuery(linesQuery(which, 0));
  const found = useQuery({ ...findQuery(which, text), enabled: text !== '' });
  const places = text === '' ? [] : (found.data?.lines ?? []);
  const current = places[Math.min(at, places.length - 1)] ?? null;

  const step = (by: number) => places.length > 0 && setAt((now) => (now + by + places.length) % places.length);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    step(event.shiftKey ? -1 : 1);
  };
  const reset = () => setAt(0);
  const save = () =>
    report(async () => {
      const { saved, fileName, bytes } = await saveInParts('operations.raw-save', which, `the ${side}`);
      return saved ? `Saved ${fileName}, ${formatBytes(bytes)}` : 'Not saved: no file was chosen';
    }, 'Not saved');
  return (
    <div className="col grow">
      <div className="row wrap raw-tools">
        <SegmentedControl
          aria-label="Side"
          value={side}
          onChange={(value) => {
            setSide(value === 'request' ? 'request' : 'answer');
            reset();
          }}
          data={[
            { value: 'request', label: 'Request' },
            { value: 'answer', label: 'Answer' },
          ]}
        />
        <Switch
          label="Indented"
          checked={indented}
          onChange={(event) => {
            setIndented(event.currentTarget.checked);
            reset();
          }}
        />
        <span className="row g4">
          <TextInput
            className="low"
            w={150}
            aria-label="Find in this text"
            placeholder="Find"
            value={sought}
            maxLength={200}
            onChange={(event) => {
              setSought(event.currentTarget.value);
              reset();
            }}
            onKeyDown={onKeyDown}
            leftSection={<IconSearch size={13} className="ti" aria-hidden="true" />}
          />
          <ActionIcon aria-label="Place before" disabled={places.length === 0} onClick={() => step(-1)}>
            <IconChevronUp size={15} className="ti" aria-hidden="true" />
          </ActionIcon>
          <ActionIcon aria-label="Next place" disabled={places.length === 0} onClick={() => step(1)}>
            <IconChevronDown size={15} className="ti" aria-hidden="true" />
          </ActionIcon>
          <span className="sm t2 nowrap" role="status">
            {text === '' || !found.data
              ? ''
              : places.length === 0
                ? 'not in it'
                : `${formatNumber(at + 1)} of ${formatNumber(places.length)}${found.data.more ? ' or more' : ''}`}
          </span>
        </span>
        <span className="grow" />
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconDownload size={14} className="ti" aria-hidden="true" />}
          onClick={save}
        >
          Save
        </Button>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconCopy size={14} className="ti" aria-hidden="true" />}
          onClick={() =>
            report(() => call('operations.raw-copy', which).then(() => `Copied the ${side}`), 'Not copied')
          }
        >
          Copy
        </Button>
      </div>
      <div className="row xs t3 raw-note">
        {first.data && (
          <span>
            {countOf(first.data.total, 'line')},{' '}
            {first.data.masked === 0 ? 'nothing to mask' : `${countOf(first.data.masked, 'value')} masked`}
          </span>
        )}
        {copied && <CopiedNote copied={copied} />}
      </div>
      {first.error || found.error ? (
        <div className="pad">
          <ReadFailure of={[first, found]} />
        </div>
      ) : (
        ((first.data && (
          <RawLines
            key={JSON.stringify(which)}
            which={which}
            total={first.data.total}
            sought={text}
            current={current}
            label={side === 'answer' ? 'Answer as it came' : 'Request as sent'}
          />
        )) ?? <Loader aria-label="Reading the text" m={16} />)
      )}
    </div>
  );
}

import { Button, Checkbox } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Fragment, useRef, useState } from 'react';
import { type SupportFile, type SupportMask, type SupportPart, usualMasks } from '../../../shared/contract/support.ts';
import { showInvisible } from '../../../shared/domain/text/visible-text.ts';
import { Breadcrumbs } from '../../components/breadcrumbs.tsx';
import { Failure } from '../../components/failure.tsx';
import { Mono } from '../../components/marks.tsx';
import { ScreenTitle } from '../../components/screen-title.tsx';
import { EmptyState, UnderWay } from '../../components/state.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { countOf, formatBytes } from '../../lib/text/format.ts';
import { useGo, useRouteParams } from '../../lib/window/routes.tsx';
import { SupportSide } from './support-side.tsx';
import './support.css';

interface Asked {
  callId: string;
  masks: readonly SupportMask[];
}

/** One call as a file for whoever investigates it: every part is shown as it would be saved, with secrets masked. */
export function SupportScreen() {
  const go = useGo();
  const [file, setFile] = useState<SupportFile | null>(null);
  const [masks, setMasks] = useState<readonly SupportMask[]>(usualMasks);
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState('summary.txt');
  /** Then Activity is left as it is: looking for the call would replace the person's filter. */
  const [fromActivity, setFromActivity] = useState(false);
  const last = useRef<Asked | null>(null);
  const prepare = useMutation({
    mutationFn: (asked: Asked) => call('support.prepare', { callId: asked.callId, masks: [...asked.masks] }),
    // A call or masks that were chosen meanwhile replace it.
    onSuccess: (made, asked) => asked === last.current && setFile(made),
  });
  const [since, setSince] = useState('');
  const read = (callId: string, wanted: readonly SupportMask[]) => {
    setSince(new Date().toISOString());
    setMasks(wanted);
    last.current = { callId, masks: wanted };
    prepare.mutate(last.current);
  };
  useRouteParams('support', 'support', ({ call: callId, from }) => {
    if (callId === undefined) return;
    setFromActivity(from === 'activity');
    setFile(null);
    setWithout(new Set());
    setShown('summary.txt');
    read(callId, usualMasks);
  });
  const callId = file?.callId ?? prepare.variables?.callId ?? null;
  const part = file?.parts.find(({ name }) => name === shown) ?? file?.parts[0];

  const body = () => {
    if (prepare.error)
      return (
        <div className="state">
          <Failure
            error={errorOf(prepare.error)}
            actions={callId !== null && <Button onClick={() => read(callId, masks)}>Try again</Button>}
          />
        </div>
      );
    if (prepare.isPending && !file)
      return <UnderWay doing="Putting the support file together" since={since} foot="Nothing is sent." />;
    if (!file || !part)
      return (
        <EmptyState
          icon={<IconFileText size={24} stroke={1.5} />}
          title="No call is chosen"
          actions={<Button onClick={() => go('activity')}>Open Activity</Button>}
        >
          A support file is about one call. Choose the call in Activity, then “Support file…”.
        </EmptyState>
      );
    return (
      <div className="support-file">
        <nav className="support-parts" aria-label="Parts of the file">
          <PartList
            file={file}
            shown={part.name}
            without={without}
            onShow={setShown}
            onKeep={(name, kept) =>
              setWithout((now) => new Set(kept ? [...now].filter((one) => one !== name) : [...now, name]))
            }
          />
        </nav>
        <PartView key={part.name} part={part} />
        <SupportSide
          file={file}
          masks={masks}
          without={without}
          isReading={prepare.isPending}
          onMasks={(wanted) => read(file.callId, wanted)}
        />
      </div>
    );
  };
  return (
    <>
      <div className="pagebar">
        <Breadcrumbs
          places={[
            {
              name: 'Activity',
              label: 'Back to the activity',
              onOpen: () => go('activity', callId === null || fromActivity ? {} : { call: callId }),
            },
            ...(file ? [{ name: file.operation }] : []),
          ]}
        />
        <ScreenTitle>Support file</ScreenTitle>
        <span className="grow" />
        <span className="sm t3 trunc">This is all that will be in it. Nothing is sent.</span>
      </div>
      {body()}
    </>
  );
}

interface PartListProps {
  file: SupportFile;
  shown: string;
  without: ReadonlySet<string>;
  onShow: (name: string) => void;
  onKeep: (name: string, kept: boolean) => void;
}

function PartList({ file, shown, without, onShow, onKeep }: PartListProps) {
  const kept = file.parts.filter(({ name }) => !without.has(name));
  return (
    <>
      <p className="h support-sum" role="status">
        {countOf(kept.length, 'part')}, {formatBytes(kept.reduce((sum, { bytes }) => sum + bytes, 0))}
      </p>
      <ul className="plain">
        {file.parts.map(({ name, bytes }) => (
          <li key={name} className="support-line" data-shown={name === shown}>
            <Checkbox
              aria-label={`${name} in the file`}
              checked={!without.has(name)}
              onChange={(event) => onKeep(name, event.currentTarget.checked)}
            />
            <button
              type="button"
              className="bare grow"
              aria-current={name === shown ? 'true' : undefined}
              onClick={() => onShow(name)}
            >
              <Mono>{name}</Mono>
            </button>
            <span className="xs t3">{formatBytes(bytes)}</span>
          </li>
        ))}
      </ul>
      <p className="sm t3 support-note">Untick a part to leave it out. The list of what was left out goes in too.</p>
    </>
  );
}

/** Characters drawn at once; laying out more would block the window. The file has all of them. */
const mostShown = 60_000;
const splitAtMasks = /(\[masked: [^\]\n]*\])/;

/** One part as it would be saved, its masks marked. */
function PartView({ part }: { part: SupportPart }) {
  const box = useRef<HTMLPreElement>(null);
  const at = useRef(-1);
  const next = () => {
    const marks = box.current?.querySelectorAll('mark') ?? [];
    if (marks.length === 0) return;
    at.current = (at.current + 1) % marks.length;
    const mark = marks[at.current];
    for (const one of marks) one.removeAttribute('data-now');
    mark?.setAttribute('data-now', 'true');
    mark?.scrollIntoView({ block: 'center' });
  };
  const text = part.text.slice(0, mostShown);
  const rest = part.text.length - text.length;
  return (
    <section className="support-part" aria-label={part.name}>
      <div className="subbar">
        <IconFileText size={15} className="ti t3" aria-hidden="true" />
        <span className="m">
          <Mono>{part.name}</Mono>
        </span>
        <span className="grow" />
        <span className="tag">{part.masked === 0 ? 'nothing masked' : `${countOf(part.masked, 'place')} masked`}</span>
        {part.masked > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={next}>
            Next mask
          </Button>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <pre className="raw support-text" ref={box} tabIndex={0}>
        {text.split(splitAtMasks).map((piece, index) =>
          index % 2 === 1 ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, in its order
            <mark key={index}>{piece.slice(1, -1)}</mark>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same
            <Fragment key={index}>{showInvisible(piece)}</Fragment>
          ),
        )}
        {rest > 0 && `\n… ${rest.toLocaleString('en-GB')} more characters are in the file`}
      </pre>
    </section>
  );
}

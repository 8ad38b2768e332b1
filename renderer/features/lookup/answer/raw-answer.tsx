import { Button, Loader, Modal, SegmentedControl, Switch } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ChannelOutput } from '../../../../shared/contract.ts';
import { CopiedNote } from '../../../components/copied-note.tsx';
import { Failure } from '../../../components/failure.tsx';
import { errorOf } from '../../../lib/calls/errors.ts';
import { formatBytes } from '../../../lib/text/format.ts';
import { prettyPrint } from '../../../lib/text/pretty-print.ts';
import { useCopy } from '../../../lib/window/use-copy.ts';
import { rawAnswerQuery } from '../queries.ts';
import { RawText } from './raw-text.tsx';

type Raw = ChannelOutput<'lookup.raw'>;
type Side = 'answer' | 'request';

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');

/** Head and body as one text, the way they went over the wire; only the body is indented. */
function textOf(raw: Raw, side: Side, indented: boolean): string {
  const body = side === 'answer' ? raw.answer.text : (raw.request.body ?? '');
  const head =
    side === 'answer'
      ? `Status ${raw.answer.status}\n${headerLines(raw.answer.headers)}`
      : `${raw.request.method} ${raw.request.url}\n${headerLines(raw.request.headers)}`;
  return `${head}\n${indented ? prettyPrint(body) : body}`.trimEnd();
}

interface RawAnswerProps {
  /** null: not shown. */
  answerId: string | null;
  onClose: () => void;
}

/** The answer and its request as they came and went, secrets masked by the main process; free. */
export function RawAnswer({ answerId, onClose }: RawAnswerProps) {
  return (
    <Modal.Root opened={answerId !== null} onClose={onClose} size={880} centered classNames={{ content: 'lookup-raw' }}>
      <Modal.Overlay />
      <Modal.Content>
        {/* A plain box: Mantine's own head is a header element, which would be a second banner of the window. */}
        <div className="lookup-raw-head">
          <Modal.Title>Raw answer</Modal.Title>
          <Modal.CloseButton />
        </div>
        <Modal.Body className="lookup-raw-body">{answerId !== null && <RawContent answerId={answerId} />}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function RawContent({ answerId }: { answerId: string }) {
  const [side, setSide] = useState<Side>('answer');
  const [indented, setIndented] = useState(true);
  const { copied, copy } = useCopy();
  const { data, error } = useQuery(rawAnswerQuery(answerId));
  const text = useMemo(() => (data ? textOf(data, side, indented) : ''), [data, side, indented]);
  if (error) return <Failure error={errorOf(error)} />;
  if (!data) return <Loader aria-label="Reading the answer" />;
  const tools = (
    <>
      <SegmentedControl
        aria-label="Side"
        value={side}
        onChange={(value) => setSide(value === 'request' ? 'request' : 'answer')}
        data={[
          { value: 'answer', label: 'Answer' },
          { value: 'request', label: 'Request' },
        ]}
      />
      <Switch label="Indented" checked={indented} onChange={(event) => setIndented(event.currentTarget.checked)} />
    </>
  );
  return (
    <>
      <RawText
        key={`${side}/${indented}`}
        text={text}
        label={side === 'answer' ? 'Answer as it came' : 'Request as sent'}
        tools={tools}
      />
      <div className="row lookup-raw-foot">
        <span className="sm t2">
          Status {data.answer.status}, {formatBytes(data.answer.bytes)}. Secrets are masked.
        </span>
        <span className="grow" />
        <CopiedNote copied={copied} />
        <Button
          leftSection={<IconCopy size={15} className="ti" aria-hidden="true" />}
          onClick={() => copy(text, side === 'answer' ? 'the answer' : 'the request')}
        >
          Copy {side === 'answer' ? 'the answer' : 'the request'}
        </Button>
      </div>
    </>
  );
}

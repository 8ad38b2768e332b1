import { Button } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { Fragment, useRef } from 'react';
import type { SupportPart } from '../../../shared/contract/support.ts';
import { showInvisible } from '../../../shared/domain/text/visible-text.ts';
import { Mono } from '../../components/marks.tsx';
import { countOf } from '../../lib/text/format.ts';

/** Characters drawn at once; laying out more would block the window. The file has all of them. */
const mostShown = 60_000;
const splitAtMasks = /(\[masked: [^\]\n]*\])/;

/** One part as it would be saved, its masks marked. */
export function PartView({ part }: { part: SupportPart }) {
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

import { Button, SegmentedControl, Textarea } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { type ChangeEvent, useMemo, useState } from 'react';
import { CopiedNote } from '../../components/copied-note.tsx';
import { Mono, Tag } from '../../components/marks.tsx';
import { Notice } from '../../components/notice.tsx';
import { EmptyState } from '../../components/state.tsx';
import { useDraft } from '../../lib/session/drafts.ts';
import { countOf, formatCredits, formatNumber } from '../../lib/text/format.ts';
import { useCopy } from '../../lib/window/use-copy.ts';
import { maskSecretsIn } from './mask-text.ts';
import { chooseWay, type FoundRequest, type LeftLine, rewriteText } from './rewrite-text.ts';
import './rewrite.css';

/** Characters that are rewritten at each key without a pause. */
const longest = 200_000;
/** Lines listed at first. */
const mostLeft = 8;

/** The whole lines that there is room for: half a request would be rewritten into another one. */
function takeLines(text: string): string {
  if (text.length <= longest) return text;
  const end = text.lastIndexOf('\n', longest);
  return text.slice(0, end > 0 ? end : longest);
}

/** How many characters a change of a text brought, also if it replaced as many. */
function insertedLength(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return after.length - start - end;
}

/** Rewrites requests with includeGeoData into today's form and says how the cost changes. Nothing is sent. */
export function RewriteScreen() {
  const [text, setText] = useDraft('lookup/rewrite', '', maskSecretsIn);
  const [withoutUprn, setWithoutUprn] = useState(false);
  /** Characters of the last change that were not taken. */
  const [leftOut, setLeftOut] = useState(0);
  const { copied, copy, clear } = useCopy();
  const result = useMemo(() => rewriteText(text, withoutUprn), [text, withoutUprn]);
  const { requests, left, before, after } = result;
  const choice = requests.some(({ rewriting }) => rewriting.after.length > 1);

  const onChange = (event: ChangeEvent<HTMLTextAreaElement>) => {
    const next = takeLines(event.currentTarget.value);
    clear();
    setLeftOut(event.currentTarget.value.length - next.length);
    // What is pasted or dropped is masked before it is shown, typed text when the box is left.
    setText(insertedLength(text, next) > 1 ? maskSecretsIn(next) : next);
  };

  return (
    <div className="rewrite">
      <div className="rewrite-old">
        <Textarea
          label="Old requests: addresses, a list, or a piece of code"
          description="Keys in the usual forms of code are masked as soon as they are pasted: look before you copy. Nothing is sent."
          placeholder="https://…/GetPremise?key=…&id=00284147&includeGeoData=true"
          autosize
          minRows={6}
          maxRows={14}
          value={text}
          onChange={onChange}
          onBlur={() => setText(maskSecretsIn(text))}
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: 'mono' }}
        />
        {leftOut > 0 && (
          <Notice tone="warn" announce>
            The last {countOf(leftOut, 'character')} were left out: there is room for {formatNumber(longest)}. Rewrite
            them as a second piece.
          </Notice>
        )}
      </div>
      {requests.length === 0 ? (
        <>
          <LeftAlone left={left} />
          <EmptyState
            title={text.trim() === '' ? 'Paste what you have' : 'No GetPremise request with parameters in this'}
            foot="From May 2025 to February 2026 includeGeoData brought coordinates, UPRN and UDPRN for 1 extra credit."
          >
            {text.trim() === ''
              ? 'Requests to GetPremise with includeGeoData are found in it and written as the service takes them now: addresses, params={…} in code, curl -G with -d.'
              : 'Only requests to GetPremise changed in February 2026. Paste their whole addresses, from https to the last parameter, or the whole statement.'}
          </EmptyState>
        </>
      ) : (
        <>
          <div className="subbar rewrite-sum">
            <span className="m" role="status">
              {countOf(requests.length, 'request')}: before {formatCredits(before)}, now {formatCredits(after)}
              {after !== before && (
                <span className={after < before ? 'good' : 'warn'}>
                  , {formatNumber(Math.abs(after - before))} {after < before ? 'less' : 'more'}
                </span>
              )}
            </span>
            <span className="grow t3">each time all are sent once</span>
            {choice && (
              <SegmentedControl
                aria-label="What the new requests bring"
                value={withoutUprn ? 'cheaper' : 'same'}
                onChange={(value) => setWithoutUprn(value === 'cheaper')}
                data={[
                  { value: 'same', label: 'The same content' },
                  { value: 'cheaper', label: 'Without the UPRN' },
                ]}
              />
            )}
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key even if nothing in it is */}
          <section className="rewrite-scroll" aria-label="What changes" tabIndex={0}>
            <LeftAlone left={left} />
            <table className="tbl sticky-head rewrite-table" aria-label="Requests before and now">
              <thead>
                <tr>
                  <th scope="col" className="num">
                    Line
                  </th>
                  <th scope="col">Before and now</th>
                  <th scope="col">What it brings</th>
                  <th scope="col" className="num">
                    Before
                  </th>
                  <th scope="col" className="num">
                    Now
                  </th>
                </tr>
              </thead>
              <tbody>
                {requests.map((found, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the same request may be in a list twice
                  <RequestRow key={index} found={found} withoutUprn={withoutUprn} />
                ))}
              </tbody>
            </table>
            <h2 className="h rewrite-head">The whole text, rewritten</h2>
            <pre className="raw sel rewrite-text">{maskSecretsIn(result.text)}</pre>
          </section>
          <div className="footbar actions">
            <span className="sm t2 trunc">Put your own key back in place of ••••.</span>
            <span className="grow" />
            {copied && <CopiedNote copied={copied} />}
            <Button
              leftSection={<IconCopy size={15} className="ti" aria-hidden="true" />}
              onClick={() => copy(maskSecretsIn(result.text), 'the rewritten text')}
            >
              Copy the rewritten text
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

/** Lines with includeGeoData that stay as they are, each with its reason; otherwise whoever pastes a file would think all of it done. */
function LeftAlone({ left }: { left: readonly LeftLine[] }) {
  const [all, setAll] = useState(false);
  if (left.length === 0) return null;
  const shown = all ? left : left.slice(0, mostLeft);
  return (
    <Notice tone="warn">
      <span className="m">
        {countOf(left.length, 'line')} with includeGeoData {left.length === 1 ? 'is' : 'are'} left as{' '}
        {left.length === 1 ? 'it is' : 'they are'}:
      </span>
      <ul className="rewrite-left sm">
        {shown.map(({ line, why }) => (
          <li key={`${line}/${why}`}>
            line {formatNumber(line)}: {why}
          </li>
        ))}
      </ul>
      {left.length > shown.length && (
        <button type="button" className="link sm" onClick={() => setAll(true)}>
          Show all {formatNumber(left.length)}
        </button>
      )}
    </Notice>
  );
}

function RequestRow({ found, withoutUprn }: { found: FoundRequest; withoutUprn: boolean }) {
  const { rewriting, line } = found;
  const now = chooseWay(rewriting, withoutUprn);
  const same = now.text === rewriting.before;
  return (
    <tr>
      <td className="num t3">{line}</td>
      <td className="rewrite-pair">
        <div className={same ? 'sel' : 'sel t3'}>
          <Mono>{rewriting.before}</Mono>
        </div>
        {!same && (
          <div className="sel">
            <Mono>{now.text}</Mono>
          </div>
        )}
        <div className="xs t3">{rewriting.notes.join(' ')}</div>
      </td>
      <td className="rewrite-pair">
        {same ? <Tag>unchanged</Tag> : null} {now.brings}
      </td>
      <td className="num">{formatCredits(rewriting.creditsBefore)}</td>
      <td className="num">
        <span className={now.credits < rewriting.creditsBefore ? 'good' : undefined}>{formatCredits(now.credits)}</span>
      </td>
    </tr>
  );
}

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
import { chooseWay, type FoundRequest, rewriteText } from './rewrite-text.ts';
import './rewrite.css';

const longest = 200_000;

/** Turns requests of the time of includeGeoData into today's, with what changes in cost. Nothing is sent. */
export function RewriteScreen() {
  const [text, setText] = useDraft('lookup/rewrite', '', maskSecretsIn);
  const [withoutUprn, setWithoutUprn] = useState(false);
  const { copied, copy, clear } = useCopy();
  const result = useMemo(() => rewriteText(text, withoutUprn), [text, withoutUprn]);
  const { requests, before, after } = result;
  const choice = requests.some(({ rewriting }) => rewriting.after.length > 1);

  const onChange = (event: ChangeEvent<HTMLTextAreaElement>) => {
    const next = event.currentTarget.value.slice(0, longest);
    clear();
    // What came in one piece, pasted or dropped, is masked before it is shown; what is typed, when the box is left.
    setText(Math.abs(next.length - text.length) > 1 ? maskSecretsIn(next) : next);
  };

  const leftAlone = text
    .split('\n')
    .flatMap((words, index) =>
      /includeGeoData/i.test(words) && !requests.some(({ line }) => line === index + 1) ? [index + 1] : [],
    );
  return (
    <div className="rewrite">
      <div className="rewrite-old">
        <Textarea
          label="Old requests: addresses, a list, or a piece of code"
          description="Keys in it are masked as soon as it is pasted. Nothing is sent."
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
      </div>
      {requests.length === 0 ? (
        <EmptyState
          title={text.trim() === '' ? 'Paste what you have' : 'No GetPremise request with parameters in this'}
          foot="From May 2025 to February 2026 includeGeoData brought coordinates, UPRN and UDPRN for 1 extra credit."
        >
          {text.trim() === ''
            ? 'Requests to GetPremise with includeGeoData are found in it and written as the service takes them now.'
            : 'Only requests to GetPremise changed in February 2026. Paste their whole addresses, from https to the last parameter.'}
        </EmptyState>
      ) : (
        <>
          <div className="subbar rewrite-sum">
            <span className="m" role="status">
              {countOf(requests.length, 'request')}: before {formatCredits(before)}, now {formatCredits(after)}
              {after !== before && (
                <span className={after < before ? 'held' : 'warn'}>
                  , {formatNumber(Math.abs(after - before))} {after < before ? 'less' : 'more'}
                </span>
              )}
            </span>
            <span className="grow t3">each time all are asked once</span>
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
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key even where nothing in it is */}
          <section className="rewrite-scroll" aria-label="What changes" tabIndex={0}>
            {leftAlone.length > 0 && (
              <Notice>
                includeGeoData also stands in {leftAlone.length === 1 ? 'line' : 'lines'}{' '}
                {new Intl.ListFormat('en-GB').format(leftAlone.map(String))}, outside of a GetPremise request. It is
                left as it is.
              </Notice>
            )}
            <table className="tbl rewrite-table" aria-label="Requests before and now">
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
                  // biome-ignore lint/suspicious/noArrayIndexKey: the same request may stand in a list twice
                  <RequestRow key={index} found={found} withoutUprn={withoutUprn} />
                ))}
              </tbody>
            </table>
            <h2 className="h rewrite-head">The whole text, rewritten</h2>
            <pre className="raw sel rewrite-text">{maskSecretsIn(result.text)}</pre>
          </section>
          <div className="footbar actions">
            <span className="sm t2 trunc">Put your key back where •••• stands; this program gives none out.</span>
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
        <span className={now.credits < rewriting.creditsBefore ? 'held' : undefined}>{formatCredits(now.credits)}</span>
      </td>
    </tr>
  );
}

import { describeReturnCode, doubtText, unpublishedCodeText } from '../../../../shared/catalogue/return-codes.ts';
import type { Provenance } from '../../../../shared/domain/lookup/lookup.ts';
import { Notice } from '../../../components/notice.tsx';
import { legible } from '../../../lib/text/legible.ts';

/** Of an answer whose first record is under another code than that of success, or that says itself why it may not be whole. */
export function AnswerNotice({ answer: { returnCode, doubt } }: { answer: Provenance }) {
  const meaning = returnCode === undefined ? undefined : describeReturnCode(returnCode);
  const code =
    meaning === undefined
      ? unpublishedCodeText(returnCode ?? '')
      : `The first record came with Return_Code ${returnCode}, ${meaning}. What was found all the same is shown.`;
  const said = [...(returnCode === undefined ? [] : [code]), ...(doubt === undefined ? [] : [doubtText(doubt)])];
  return said.map((text) => (
    <div key={text} className="pad pane-b">
      <Notice tone="warn">{legible(text)}</Notice>
    </div>
  ));
}

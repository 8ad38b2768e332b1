import { describeReturnCode, unpublishedCodeText } from '../../../../shared/catalogue/return-codes.ts';
import type { Provenance } from '../../../../shared/domain/lookup/lookup.ts';
import { Notice } from '../../../components/notice.tsx';
import { legible } from '../../../lib/text/legible.ts';

/** Of an answer whose first record is under another code than that of success. */
export function ReturnCodeNotice({ answer: { returnCode } }: { answer: Provenance }) {
  if (returnCode === undefined) return null;
  const meaning = describeReturnCode(returnCode);
  return (
    <div className="pad pane-b">
      <Notice tone="warn">
        {meaning === undefined
          ? legible(unpublishedCodeText(returnCode))
          : `The first record came with Return_Code ${returnCode}, ${meaning}. What was found all the same is shown.`}
      </Notice>
    </div>
  );
}

import { describeReturnCode } from '../../../../shared/catalogue/return-codes.ts';
import type { Provenance } from '../../../../shared/domain/lookup/lookup.ts';
import { Notice } from '../../../components/notice.tsx';
import { legible } from '../../../lib/text/legible.ts';

/**
 * Of an answer whose first record is under a code that is not that of success: any but that of success means a problem (field notes, "Return codes and
 * errors").
 */
export function ReturnCodeNotice({ answer: { returnCode } }: { answer: Provenance }) {
  if (returnCode === undefined) return null;
  const meaning = describeReturnCode(returnCode);
  return (
    <div className="pad pane-b">
      <Notice tone="warn">
        {meaning === undefined
          ? `This came with Return_Code ${legible(returnCode)}. Only 1 is success: with any other there is a problem, and what this one means is not published.`
          : `The first record came with Return_Code ${returnCode}, ${meaning}. The others are shown.`}
      </Notice>
    </div>
  );
}

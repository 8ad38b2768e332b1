import { Button, Textarea } from '@mantine/core';
import type { FormEvent } from 'react';
import { forgetSent, useDraft } from '../../../lib/session/drafts.ts';
import { useFocusOnce } from '../../../lib/window/focus-once.ts';
import { changeBatchForm } from '../batch-store.ts';
import { takeText } from '../take-table.ts';

/**
 * The form for a table copied from a spreadsheet or a ticket. What is typed stays while the form is closed; what was taken goes, because
 * the next table would be pasted into it.
 */
export function PasteForm({ connectionId }: { connectionId: string }) {
  const draft = `lookup/batch-paste-${connectionId}`;
  const [text, setText] = useDraft(draft);
  const field = useFocusOnce<HTMLTextAreaElement>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '' && (await takeText(connectionId, text))) forgetSent(draft, text.trim());
  };
  return (
    <form className="batch-paste" onSubmit={submit} aria-label="Paste a table">
      <Textarea
        ref={field}
        className="codes"
        label="Rows from a spreadsheet, a CSV file or a ticket"
        description="One row a line: postcodes, addresses, premise ids, UDPRNs, or organisations with a town. Columns and their names are recognised; nothing is sent."
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        rows={14}
        spellCheck={false}
      />
      <div className="row wrap">
        <Button type="submit" variant="filled" disabled={text.trim() === ''}>
          Read the table · free
        </Button>
        <Button onClick={() => changeBatchForm(connectionId, { pasting: false })}>Close</Button>
      </div>
    </form>
  );
}

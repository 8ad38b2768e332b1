import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useEffect, useRef } from 'react';
import { useDraft } from '../../lib/session/drafts.ts';
import { changeBulk } from './bulk-store.ts';
import { takeText } from './take-table.ts';

/** A table as it is copied from a spreadsheet; what is typed stays while the form is closed. */
export function PasteForm({ connectionId }: { connectionId: string }) {
  const [text, setText] = useDraft(`licences/bulk-paste-${connectionId}`);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void takeText(connectionId, text);
  };
  return (
    <form className="bulk-map" onSubmit={submit} aria-label="Paste a table">
      <Textarea
        ref={field}
        className="codes"
        label="Rows from a spreadsheet or a CSV file"
        description="A row for each change: licence, machine; or licence, from, to. A head names the columns: Licence, Change, From, To."
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        rows={12}
        spellCheck={false}
        placeholder={'Licence\tFrom\tTo'}
      />
      <div className="row wrap">
        <Button type="submit" variant="filled" disabled={text.trim() === ''}>
          Look through it
        </Button>
        <Button onClick={() => changeBulk(connectionId, { pasting: false })}>Close</Button>
      </div>
    </form>
  );
}

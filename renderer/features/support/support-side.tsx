import { Button, Checkbox } from '@mantine/core';
import { IconCopy, IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type SupportFile, type SupportMask, supportMasks } from '../../../shared/contract/support.ts';
import { CopiedNote } from '../../components/copied-note.tsx';
import { Failure } from '../../components/failure.tsx';
import { Fields } from '../../components/fields.tsx';
import { ClaimSentences } from '../../components/money/money-claims.tsx';
import { SavedNote } from '../../components/saved-note.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { countOf, formatBytes, formatDate, formatNumber } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { useCopy } from '../../lib/window/use-copy.ts';

const maskTexts: Readonly<Record<SupportMask, readonly [label: string, help: string]>> = {
  addresses: ['Addresses and premise ids', 'lengths stay'],
  names: ['Machine and user names', 'one stand-in for each name'],
  hosts: ['Host names', 'the service’s own as well; others without a dot may stay'],
  balances: ['Balances', 'the evidence of the charge depends on them'],
};

interface SupportSideProps {
  file: SupportFile;
  masks: readonly SupportMask[];
  without: ReadonlySet<string>;
  isReading: boolean;
  onMasks: (masks: readonly SupportMask[]) => void;
}

/** What is masked, the claims about the charge, and the save button, enabled only once every stored key was searched for. */
export function SupportSide({ file, masks, without, isReading, onMasks }: SupportSideProps) {
  const { copied, copy } = useCopy();
  const save = useMutation({
    mutationFn: (of: { supportId: string; without: ReadonlySet<string> }) =>
      call('support.save', { supportId: of.supportId, without: [...of.without] }),
    meta: { subject: 'Saving the support file' },
    onSuccess: ({ saved, fileName }) => announce(saved ? `Saved in ${fileName}` : 'Nothing was saved.'),
  });
  const summary = file.parts.find(({ name }) => name === 'summary.txt');
  // Of a file with other masks or parts nothing is said.
  const isShown = save.variables?.supportId === file.supportId && save.variables.without === without;
  const { data, error } = isShown ? save : { data: undefined, error: null };
  const nothing = without.size === file.parts.length;
  return (
    <aside className="col pane-r insetbg support-side" aria-label="The file">
      <div className="support-side-body">
        <fieldset className="support-masks">
          <legend className="h">Masked</legend>
          <Checkbox label="Keys, GUIDs, passwords" description="always; the last four stay" checked disabled readOnly />
          {supportMasks.map((mask) => (
            <Checkbox
              key={mask}
              label={maskTexts[mask][0]}
              description={maskTexts[mask][1]}
              checked={masks.includes(mask)}
              disabled={isReading}
              onChange={(event) => {
                const wanted = event.currentTarget.checked;
                onMasks(supportMasks.filter((one) => (one === mask ? wanted : masks.includes(one))));
              }}
            />
          ))}
        </fieldset>
        <div>
          <h2 className="h">What it says of the charge</h2>
          <div className="sm t2 sel">
            {file.claims.length === 0 ? (
              'The ledger has no entry of this call.'
            ) : (
              <ClaimSentences claims={file.claims} />
            )}
          </div>
        </div>
        <Fields
          labelWidth={120}
          rows={[
            {
              label: 'Around it',
              value: `${file.around < file.aroundOf ? `the nearest ${formatNumber(file.around)} of ` : ''}${countOf(file.aroundOf, 'call')}, 5 min before and after`,
            },
            {
              label: 'Drift',
              value:
                file.describedAt === null
                  ? 'no description is kept'
                  : `description as of ${formatDate(file.describedAt)}`,
            },
            {
              label: 'Searched for keys',
              value:
                file.searched === 0
                  ? 'none could be searched for'
                  : file.searched === 1
                    ? 'your one key is not in it'
                    : `none of ${file.searched} is in it`,
              from: file.unread > 0 ? `${countOf(file.unread, 'key')} could not be read` : '',
            },
          ]}
        />
        {data && <SavedNote saved={data.saved}>{`Saved in ${data.fileName}, ${formatBytes(data.bytes)}.`}</SavedNote>}
        {error && <Failure error={errorOf(error)} />}
      </div>
      <div className="col g6 pane-t pad">
        <CopiedNote copied={copied} />
        <Button
          variant="filled"
          fullWidth
          loading={save.isPending}
          disabled={nothing || isReading}
          leftSection={<IconDownload size={15} className="ti" aria-hidden="true" />}
          onClick={() => save.mutate({ supportId: file.supportId, without })}
        >
          Save the file…
        </Button>
        {summary && (
          <Button
            fullWidth
            disabled={isReading}
            leftSection={<IconCopy size={15} className="ti" aria-hidden="true" />}
            onClick={() => copy(summary.text, 'the summary')}
          >
            Copy the summary
          </Button>
        )}
      </div>
    </aside>
  );
}

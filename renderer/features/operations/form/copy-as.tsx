import { IconCode } from '@tabler/icons-react';
import type { ChannelInput } from '../../../../shared/contract.ts';
import { CopiedNote } from '../../../components/copied-note.tsx';
import { CopyMenu } from '../../../components/copy-menu.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { useCopy } from '../../../lib/window/use-copy.ts';

const languages = [
  { id: 'curl', label: 'cURL' },
  { id: 'powershell', label: 'PowerShell' },
  { id: 'csharp', label: 'C#' },
  { id: 'python', label: 'Python' },
] as const;

/** Copies the form's request as code, with placeholders for keys, so that nothing secret reaches the clipboard. */
export function CopyAs({ asked, disabled }: { asked: ChannelInput<'operations.price'>; disabled: boolean }) {
  const { copied, copy } = useCopy();
  const copyIn = (language: ChannelInput<'operations.snippet'>['language'], label: string) =>
    copy(
      call('operations.snippet', { ...asked, language }).then(({ text }) => text),
      label,
    );
  return (
    <>
      <CopyMenu
        disabled={disabled}
        icon={<IconCode size={15} className="ti" aria-hidden="true" />}
        groups={[
          {
            label: 'Keys as placeholders',
            items: languages.map(({ id, label }) => ({ id, label, onCopy: () => copyIn(id, label) })),
          },
        ]}
      >
        Copy as
      </CopyMenu>
      {copied && <CopiedNote copied={copied} />}
    </>
  );
}

import { LargeDialog } from '../../../components/dialog.tsx';
import { RawView } from '../../../components/raw-text/raw-view.tsx';

interface RawAnswerProps {
  /** null: not shown. */
  answerId: string | null;
  onClose: () => void;
}

/** The answer and its request as they were received and sent, secrets masked by the main process; free. */
export const RawAnswer = ({ answerId, onClose }: RawAnswerProps) => (
  <LargeDialog opened={answerId !== null} onClose={onClose} title="Raw answer" size={880} className="lookup-raw-body">
    {answerId !== null && <RawView answerId={answerId} />}
  </LargeDialog>
);

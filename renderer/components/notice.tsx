import { IconAlertTriangle, IconCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { legible } from '../lib/text/legible.ts';

type NoticeTone = 'good' | 'warn' | 'danger';

const icons = { good: IconCheck, warn: IconAlertTriangle, danger: IconCircleX };

interface NoticeProps {
  tone?: NoticeTone;
  children: ReactNode;
  action?: ReactNode;
  /** Read aloud when it appears. For something the user must know now, not for standing remarks. */
  announce?: boolean;
}

/** One shape for every standing warning, failure and partial answer. */
export function Notice({ tone, children, action, announce = false }: NoticeProps) {
  const Icon = tone ? icons[tone] : IconInfoCircle;
  return (
    <div className={tone ? `notice ${tone}` : 'notice'} {...(announce ? { role: 'status' } : {})}>
      <Icon size={16} className="ti" aria-hidden="true" />
      <div className="grow">{legible(children)}</div>
      {action}
    </div>
  );
}

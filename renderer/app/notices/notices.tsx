import { CreditAlerts, StartNotices, UpdateNotice } from './start-notices.tsx';
import { UnfinishedNotice } from './unfinished-notice.tsx';

/** What stands above every screen. */
export const Notices = () => (
  <>
    <StartNotices />
    <UnfinishedNotice />
    <UpdateNotice />
    <CreditAlerts />
  </>
);

import { CreditAlerts, FailureNotices, StartNotices, UpdateNotice } from './start-notices.tsx';
import { UnfinishedNotice } from './unfinished-notice.tsx';

/** The notices above every screen. */
export const Notices = () => (
  <>
    <StartNotices />
    <UnfinishedNotice />
    <UpdateNotice />
    <CreditAlerts />
    <FailureNotices />
  </>
);

import { Component, type ReactNode } from 'react';
import { Notice } from '../../components/notice.tsx';
import { errorOf } from '../../lib/calls/errors.ts';
import { LateButton } from './late-button.tsx';

/**
 * Around a part of the frame that has no screen of its own: if it cannot be loaded, the screens continue and a notice above them says so.
 */
export class PartNotice extends Component<{ children: ReactNode }, { failed: unknown }> {
  override state: { failed: unknown } = { failed: null };

  static getDerivedStateFromError(failed: unknown): { failed: unknown } {
    return { failed };
  }

  override render(): ReactNode {
    const { failed } = this.state;
    if (failed === null) return this.props.children;
    const { message, next } = errorOf(failed);
    return (
      <div className="start-notices">
        <Notice
          tone="warn"
          announce
          action={<LateButton onClick={() => this.setState({ failed: null })}>Try again</LateButton>}
        >
          <span className="m">{message}</span> {next}
        </Notice>
      </div>
    );
  }
}

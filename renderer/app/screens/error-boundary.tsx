import { Component, type ErrorInfo, type ReactNode } from 'react';
import { appError } from '../../../shared/errors.ts';
import { Failure } from '../../components/failure.tsx';
import { ScreenTitle } from '../../components/screen-title.tsx';
import { CallError } from '../../lib/calls/errors.ts';
import { draftsOf, reloadWithDrafts } from '../../lib/session/drafts.ts';
import { LateButton } from '../notices/late-button.tsx';

interface Props {
  /** The screen's id, with which the keys of its drafts begin. */
  screen: string;
  title: string;
  children: ReactNode;
}

/** Shows a screen's failure in its place, with what was typed on it; the other screens go on. */
export class ErrorBoundary extends Component<Props, { failed: Error | null }> {
  override state: { failed: Error | null } = { failed: null };

  static getDerivedStateFromError(error: unknown): { failed: Error } {
    return { failed: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error('A screen could not be shown.', error, info.componentStack);
  }

  override render(): ReactNode {
    const { failed } = this.state;
    if (!failed) return this.props.children;
    const typed = draftsOf(this.props.screen);
    const error =
      failed instanceof CallError
        ? failed.error
        : appError('internal', {
            message: 'This screen could not be shown.',
            money: 'Calls already sent go on; nothing was sent because of this.',
            next: 'Show it again, or reload the window. What you typed is kept, except keys and very long texts.',
            charge: 'not-applicable',
            detail: failed.message,
          });
    return (
      <>
        <div className="pagebar">
          <ScreenTitle>{this.props.title}</ScreenTitle>
        </div>
        <div className="state">
          <Failure
            error={error}
            actions={
              <>
                <LateButton filled onClick={() => this.setState({ failed: null })}>
                  Show it again
                </LateButton>
                <LateButton onClick={reloadWithDrafts}>Reload the window</LateButton>
              </>
            }
          >
            {typed.length > 0 && (
              <div>
                <h3 className="h">What you had typed</h3>
                {typed.map((text) => (
                  <p key={text} className="sel">
                    {text}
                  </p>
                ))}
              </div>
            )}
          </Failure>
        </div>
      </>
    );
  }
}

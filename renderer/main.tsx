import './app/theme/trusted-types.ts';
import '@mantine/core/styles.css';
import '@fontsource-variable/inter/wght.css';
import './styles/index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { screens } from './app/screens/screens.tsx';
import { prepareStyleNonce } from './app/theme/style-nonce.ts';
import { restoreSession } from './lib/session/session-state.ts';
import { keepDoubleClickOnOne } from './lib/window/double-click.ts';
import { ignoreRepeatedEnter } from './lib/window/key-repeat.ts';
import { lastScreen } from './lib/window/routes.tsx';

prepareStyleNonce();
ignoreRepeatedEnter();
keepDoubleClickOnOne();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no place to draw in.');
// First what an earlier window left: the screens begin where it ended.
void restoreSession().then(() => {
  // Beside the first questions to main. What fails is said by the screen.
  void screens[lastScreen() ?? 'lookup'].load().catch(() => undefined);
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
});

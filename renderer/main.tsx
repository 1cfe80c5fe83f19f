// Starts the renderer: follows main's state, listens to keys and focus, and shows the frame.

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { watchFocus } from './arming';
import { connectBridge } from './bridge';
import { watchLeaving } from './inbox-view';
import { listenToKeys } from './keyboard';
import { watchQueueFocus } from './parts/queue-focus';
import { attach } from './store';
import { applyTheme } from './theme';
import './theme.css';

applyTheme('system');
watchLeaving();
watchFocus();
watchQueueFocus();
listenToKeys();
attach(connectBridge());
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

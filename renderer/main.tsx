// Starts the renderer: follows main's state and shows the frame.

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { follow } from './store';
import './theme.css';

follow();
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

// Keeps a fault in one part of the window from taking the rest with it: the part is replaced by what is given for that case,
// so that a request can still be read and answered.

import { Component, type ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
  readonly instead: ReactNode;
}

/** React has no other way to catch a fault while drawing than a class. */
export class Boundary extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.instead : this.props.children;
  }
}

// The names of what crosses between the window and main. Types only: the preload may import nothing else of ours.

export type InvokeChannel = 'gatehouse:invoke' | 'gatehouse:snapshot' | 'gatehouse:pick-folder';
/** `changes` carries a list of batches, so that a burst is one message; `nudge` one Nudge. */
export type PushChannel = 'gatehouse:changes' | 'gatehouse:nudge';

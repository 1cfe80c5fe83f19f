// skeleton: signatures first, filled in the next commits.

/** What the agent is told when a person denied. */
export function deniedByPerson(_note: string | null): string {
  throw new Error('not built yet');
}
export function blockedMessage(_cause: 'headless' | 'expired' | 'withdrawn' | 'cancelled' | 'fault'): string {
  throw new Error('not built yet');
}
export function stagedMessage(_tool: string): string {
  throw new Error('not built yet');
}
/** What an agent is told with a one-call grant after a release from the outbox. */
export function releasedMessage(_tool: string): string {
  throw new Error('not built yet');
}

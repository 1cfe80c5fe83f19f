// The whole gate behind the neutral interface: the same rules as engine-adapter.ts, decided by all twelve steps.

export { createGate as createEngine } from './engine-adapter';
export const meta = { label: 'Gatehouse, all twelve steps with trace', group: 'product' };

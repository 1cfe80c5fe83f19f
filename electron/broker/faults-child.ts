// The process that faults.test.ts kills: a broker over a real store, its commands spoken over the channel to the parent. Runs
// bundled, as the program does.

import type { CommandName } from '../../shared/commands';
import { openStore } from '../store/store';
import { createBroker } from './broker';
import type { Caller } from './caller';
import { createPaths } from './paths';

export interface Asked {
  readonly id: number;
  readonly name: CommandName;
  readonly input: unknown;
  readonly by: 'agent' | 'person';
}

const AGENT: Caller = { scopes: new Set(['agent']), door: 'http', name: 'agent' };
const PERSON: Caller = { scopes: new Set(['operator.admin']), door: 'http', name: 'operator' };

const [dataDir, home] = process.argv.slice(2);
if (dataDir === undefined || home === undefined) throw new Error('the folders are missing');
const { store, problems } = openStore({ dataDir, now: Date.now });
const broker = createBroker({ store, paths: createPaths({ home }), now: Date.now, dataDir, version: '0.0.0' });

process.on('message', ({ id, name, input, by }: Asked) => {
  void broker.call(name, input, by === 'agent' ? AGENT : PERSON).then((result) => process.send?.({ id, result }));
});
// Ends with the parent, however that ends.
process.on('disconnect', () => process.exit(0));
process.send?.({ id: 0, result: problems });

// The Node shim: what `hooks/<agent>.sh` starts where there is no curl. Fails like the shell shim does: nothing on
// standard output and a non-zero exit code, which the script turns into a refusal.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exchange, readEndpoint } from './client';

export async function runHook(argv: readonly string[], dataDir: string): Promise<number> {
  const [route] = argv;
  if (route === undefined || !route.startsWith('/hooks/')) {
    process.stderr.write('Name the route: gatehouse hook /hooks/claude-code\n');
    return 2;
  }
  const endpoint = readEndpoint(dataDir);
  if (!endpoint.ok) return 1;
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  try {
    const token = readFileSync(join(dataDir, 'agent.token'), 'utf8').trim();
    const answer = await exchange(endpoint.value, token, 'POST', route, Buffer.concat(chunks).toString('utf8'));
    if (answer.status !== 200) return 1;
    process.stdout.write(answer.body);
    return 0;
  } catch {
    return 1;
  }
}

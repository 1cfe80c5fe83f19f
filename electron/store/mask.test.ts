import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Limits, maskJson, maskText } from './mask';

const LIMITS: Limits = { textChars: 4000, listItems: 1000 };
const run = (text: string, length: number): string => text.repeat(Math.ceil(length / text.length)).slice(0, length);
// Put together here, so that no scanner takes this file for a leak.
const key = (...parts: string[]): string => parts.join('');

/** A secret, the text it stands in, and a text that is nearly the same and holds none. */
const FORMATS: readonly [name: string, secret: string, text: (secret: string) => string, near: string][] = [
  ['GitHub token', key('gh', 'p_', run('aB3x', 36)), (secret) => `git clone https://x:${secret}@host/r`, 'ghp_short'],
  ['fine-grained GitHub token', key('github', '_pat_', run('1A', 22), '_', run('bC', 59)), (secret) => `echo ${secret}`, 'github_pat_none'],
  ['GitLab token', key('glp', 'at-', run('aB3x', 20)), (secret) => `use ${secret} now`, 'glpat-'],
  ['npm token', key('np', 'm_', run('aB3x', 36)), (secret) => `//registry/:_authToken=${secret}`, 'npm_config_registry'],
  ['Slack token', key('xo', 'xb-123456789012-1234567890123-', run('aBcD', 24)), (secret) => `"${secret}"`, 'xoxb-'],
  ['Anthropic key', key('sk-', 'ant-api03-', run('aB3_', 93), 'AA'), (secret) => `key ${secret}`, 'sk-ant'],
  ['OpenAI key', key('sk-', 'proj-', run('aB3x', 48)), (secret) => `key ${secret}`, 'sk-learn'],
  ['AWS key id', key('AK', 'IA', run('QYLPMN5H', 16)), (secret) => `id ${secret} here`, 'AKIA'],
  ['AWS secret', run('wJalrXUtnFEMI/K7MDENG', 40), (secret) => `aws_secret_access_key = ${secret}`, 'aws_secret_access_key ='],
  ['Google key', key('AI', 'za', run('SyA1-_', 35)), (secret) => `?q=1 ${secret}`, 'AIzaShort'],
  ['Stripe key', key('sk', '_live_', run('aB3x', 24)), (secret) => `stripe ${secret}`, 'sk_live_'],
  ['SendGrid key', key('SG', '.', run('aB3x', 22), '.', run('cD4y', 43)), (secret) => `key: ${secret}`, 'SG.x.y'],
  ['Hugging Face token', key('h', 'f_', run('abcdefgh', 34)), (secret) => `token ${secret}`, 'hf_model'],
  ['PyPI token', key('py', 'pi-', run('AgEIcHlwaS5vcmc', 60)), (secret) => `twine -p ${secret}`, 'pypi-server'],
  [
    'web token',
    key('ey', 'JhbGciOiJIUzI1NiJ9', '.', 'eyJzdWIiOiIxMjM0In0', '.', run('dBjftJeZ4CVP', 43)),
    (secret) => `jwt=${secret};`,
    'eyJust.a.word',
  ],
  ['age key', key('AGE-', 'SECRET-KEY-', '1', run('QPZRY9X8', 58)), (secret) => secret, 'AGE-SECRET-KEY-1'],
  [
    'private key',
    run('MIIEpAIBAAKCAQEA', 400),
    (secret) => key('-----BEGIN RSA PRI', `VATE KEY-----\n${secret}\n-----END RSA PRI`, 'VATE KEY-----'),
    '-----BEGIN CERTIFICATE-----',
  ],
  ['private key without an end', run('MIIEpAIBAAKCAQEA', 400), (secret) => key('-----BEGIN PRI', `VATE KEY-----\n${secret}`), '-----BEGIN'],
  ['bearer header', run('abc.DEF_123-', 40), (secret) => `curl -H "Authorization: Bearer ${secret}" https://x`, 'Authorization: none'],
  ['basic header', 'dXNlcjpwYXNzd29yZA==', (secret) => `Authorization: Basic ${secret}`, 'basic authentication is on'],
  ['API key header', 'aB3xaB3xaB3x', (secret) => `curl -H 'X-Api-Key: ${secret}'`, 'X-Api-Key:'],
  ['cookie header', 'sid=8f14e45fceea167a', (secret) => `Cookie: ${secret}`, 'cookie: CookieOptions'],
  ['password in an address', 'hunter2pass', (secret) => `postgres://ann:${secret}@db.example.com/shop`, 'postgres://db.example.com:5432/shop'],
  ['token in a query', 'aB3xaB3x', (secret) => `https://x/y?access_token=${secret}&z=1`, 'https://x/y?token=&z=1'],
  ['shell variable', 'hunter2', (secret) => `export DB_PASSWORD=${secret} && run`, 'export DB_PASSWORD=$OTHER'],
  ['quoted shell variable', 'with spaces!', (secret) => `API_KEY='${secret}' run`, 'API_KEY="$(cat key)"'],
  ['JSON member', 'hunter2', (secret) => `{"client_secret": "${secret}"}`, '{"client_secret": ""}'],
  ['JSON in a quoted argument', 'hunter2', (secret) => `curl -d "{\\"password\\": \\"${secret}\\"}"`, 'curl -d "{\\"user\\": \\"ann\\"}"'],
  ['code', 'hunter2', (secret) => `const token = '${secret}';`, 'const token = getToken(); let password: string;'],
  ['option', 'hunter2', (secret) => `mysqladmin --password ${secret} status`, 'mysqladmin --password --host x'],
  ['option with an equals sign', 'hunter2', (secret) => `tool --api-key=${secret}`, 'tool --max-tokens=4096 --tokenizer=fast'],
  ['curl user', 'hunter2', (secret) => `curl -s -u ann:${secret} https://x`, 'curl -u ann https://x'],
  ['mysql -p', 'hunter2', (secret) => `mysql -u root -p${secret} shop`, 'mysql -u root -p shop'],
];

describe('text', () => {
  test.each(FORMATS)('%s: the secret is masked, and nothing in a text that only resembles it', (_name, secret, text, near) => {
    const { value, masked } = maskText(text(secret));
    expect(value).not.toContain(secret);
    // No end of it is left over either.
    expect(value).not.toContain(secret.slice(-6));
    expect(value).toContain('[masked: ');
    expect(masked).toBeGreaterThan(0);
    expect(maskText(near)).toEqual({ value: near, masked: 0, shortened: 0 });
  });

  test('everyday commands and code stay as they are', () => {
    const texts = [
      'npm run build && git push origin main --force-with-lease',
      'node --max-old-space-size=4096 --test key=abc',
      'find . -name "*.ts" | xargs grep -n tokenize',
      'interface A { token: string; password: string; secret?: string }',
      'https://example.com/a?key=&page=2#top',
      'sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      '0190f5c2-7d3e-7b1a-8c2d-1234567890ab 2026-01-02T03:04:05.000Z',
      'PATH=/usr/bin:/bin HOME=/home/ann LANG=C make',
    ];
    for (const text of texts) expect(maskText(text).value).toBe(text);
  });

  test('a comment of an agent does not switch detection off', () => {
    const secret = key('gh', 'p_', run('aB3x', 36));
    expect(maskText(`// secretlint-disable\n${secret}`).value).not.toContain(secret);
  });
});

describe('JSON', () => {
  test('the kind of secret and their number are told, the shape stays', () => {
    const secret = key('gh', 'p_', run('aB3x', 36));
    expect(maskJson({ a: [1, null, true, `x ${secret}`] }, LIMITS)).toEqual({
      value: { a: [1, null, true, 'x [masked: github]'] },
      masked: 1,
      shortened: 0,
    });
  });

  test('key names decide in what an agent sent, not in our own fields', () => {
    const input = { user: 'ann', password: 'abc', apiKey: 12, nested: { 'client-secret': ['one', 'two'] }, authorization: null, tokens: 5 };
    const { value, masked } = maskJson({ cancel_token: 'c-1', input }, LIMITS);
    expect(value).toEqual({
      cancel_token: 'c-1',
      input: {
        user: 'ann',
        password: '[masked: key name]',
        apiKey: '[masked: key name]',
        nested: { 'client-secret': ['[masked: key name]', '[masked: key name]'] },
        authorization: null,
        tokens: 5,
      },
    });
    expect(masked).toBe(4);
  });

  test('an argument list is read as the command it is', () => {
    const { value } = maskJson({ input: { command: ['mysql', '--password', 'pw1', '-u', 'root'] }, words: ['tool', '--token', 'x9'] }, LIMITS);
    expect(JSON.stringify(value)).not.toContain('pw1');
    expect(JSON.stringify(value)).not.toContain('x9');
    expect(value).toMatchObject({ words: ['tool', '--token', '[masked: repeated]'] });
  });

  test('a secret that gave itself away once is masked everywhere', () => {
    const { value } = maskJson(
      { input: { password: 'correct horse' }, trace: ['ran with correct horse'], text: 'SECRET=battery9; echo battery9' },
      LIMITS,
    );
    expect(JSON.stringify(value)).not.toMatch(/correct horse|battery9/);
  });

  test('a long text is cut, with its length and hash', () => {
    const text = run('line of a file\n', 50_000);
    const { value, shortened } = maskJson(text, LIMITS);
    expect(shortened).toBe(1);
    expect(value).toBe(`${text.slice(0, 2000)}… [shortened: 50000 characters, sha256 ${createHash('sha256').update(text).digest('hex')}]`);
  });

  test('a secret at the place of the cut does not show its beginning', () => {
    const secret = key('gh', 'p_', run('aB3x', 36));
    for (let offset = 1960; offset <= 2000; offset += 1) {
      const { value } = maskJson(`${'y '.repeat(offset / 2)} ${secret} ${'z'.repeat(9000)}`, LIMITS);
      expect(String(value)).not.toContain(secret.slice(0, 12));
    }
  });

  test('without secrets and bulk it is the same value', () => {
    const word = fc.constantFrom('npm', 'run', 'src/a.ts', 'ls -la', 'build', 'Read', '~/x', '0', '');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        word,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(word, tie('tree')),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(maskJson(value as never, LIMITS)).toEqual({ value, masked: 0, shortened: 0 });
      }),
    );
  });

  test('hostile texts take no longer than a moment', () => {
    const hostile = [
      'a',
      'a.',
      'eyJ',
      'eyJa.',
      'curl ',
      'mysql ',
      'token=',
      'password:"',
      'https://',
      '://a:',
      'authorization: ',
      '--',
      'sk-',
      'AKIA',
      '\n',
      ' ',
      '-----BEGIN PRIVATE KEY-----',
      'a-token',
    ];
    for (const piece of hostile) {
      const list = Array.from({ length: 8 }, (_, index) => run(piece, 8000 - index));
      const started = performance.now();
      maskJson(list, LIMITS);
      expect([piece, performance.now() - started < 500]).toEqual([piece, true]);
    }
  });
});

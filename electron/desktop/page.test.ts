// The page under app:// and who may talk to main, tried with what an attacker would try.

import { describe, expect, it } from 'vitest';
import { answerPage, isOurFrame, PAGE_URL } from './page';
import { cannotStart, ownedElsewhere, stopPage } from './stop-page';

const file = (text: string) => ({ body: Buffer.from(text), type: 'text/html; charset=utf-8', immutable: false });
const files = new Map([
  ['/', file('page')],
  ['/index.html', file('page')],
  ['/assets/app.js', { ...file('code'), type: 'text/javascript; charset=utf-8' }],
]);
const get = (url: string, method = 'GET') => answerPage(files, { url, method });

describe('the page', () => {
  it('serves the files of the renderer with a strict policy', async () => {
    const answer = get(PAGE_URL);
    expect([answer.status, await answer.text()]).toEqual([200, 'page']);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(get('app://gatehouse/assets/app.js?v=1').status).toBe(200);
  });

  it.each([
    'app://gatehouse/../../etc/passwd',
    'app://gatehouse/%2e%2e/%2e%2e/etc/passwd',
    'app://gatehouse/..%2f..%2fetc%2fpasswd',
    'app://gatehouse//etc/passwd',
    'app://gatehouse/assets/..%5c..%5csecret',
    'app://gatehouse/assets/app.js%00.html',
    'app://gatehouse/assets',
    'app://other/index.html',
    'app://gatehouse:80/index.html',
    'app://user@other/',
    'file:///etc/passwd',
    'not a url',
  ])('refuses %s', (url) => {
    expect(get(url).status).toBe(404);
  });

  it('answers nothing but GET', () => {
    expect(get(PAGE_URL, 'POST').status).toBe(404);
  });
});

describe('who may talk to main', () => {
  it('is the main frame of our own page', () => {
    expect(isOurFrame({ url: 'app://gatehouse/index.html#/inbox', parent: null })).toBe(true);
  });

  it.each([
    [null],
    [{ url: 'app://gatehouse/', parent: {} }],
    [{ url: 'app://gatehouse.example/', parent: null }],
    [{ url: 'app://gatehouse@example/', parent: null }],
    [{ url: 'https://gatehouse/', parent: null }],
    [{ url: 'about:blank', parent: null }],
    [{ url: 'data:text/html,app://gatehouse/', parent: null }],
    [{ url: '', parent: null }],
  ])('is not %j', (frame) => {
    expect(isOurFrame(frame)).toBe(false);
  });
});

describe('the stop page', () => {
  it('says what is wrong and what to do, and escapes what it was given', () => {
    const page = stopPage(cannotStart({ message: 'The folder `<b>"x"</b>` is full.', hint: 'Free some space.' })).body.toString();
    expect(page).toContain('The folder &lt;b&gt;&quot;x&quot;&lt;/b&gt; is full.');
    expect(page).toContain('Free some space.');
    expect(page).not.toContain('Show it');
    expect(page).not.toContain('<script');
  });

  it('offers to show the other copy where its address is known', () => {
    expect(stopPage(ownedElsewhere('/data', 'http://127.0.0.1:7717')).body.toString()).toContain('Show it in the browser');
    expect(stopPage(ownedElsewhere('/data', null)).body.toString()).not.toContain('Show it');
  });
});

import { describe, expect, it } from 'vitest';
import { accessRows } from '../screens/directories';
import { ROOT, requestSample, settledSample } from '../testing/samples';
import { noteSuggestions } from './answer/note';
import { differencesOf } from './request/detail';
import { boundaryIn } from './request/places';

describe('a path with its boundary', () => {
  it('parts where it leaves the root, on a directory boundary', () => {
    expect(boundaryIn(`${ROOT}/src/a.ts`, ROOT)).toEqual({ shared: `${ROOT}/`, rest: 'src/a.ts', isOutside: false });
    expect(boundaryIn('/home/ada/shopping/a', ROOT)).toEqual({ shared: '/home/ada/', rest: 'shopping/a', isOutside: true });
    expect(boundaryIn('/etc/hosts', ROOT)).toEqual({ shared: '/', rest: 'etc/hosts', isOutside: true });
    expect(boundaryIn('/home/ada', ROOT)).toMatchObject({ rest: 'ada', isOutside: true });
    expect(boundaryIn(ROOT, ROOT)).toEqual({ shared: '', rest: ROOT, isOutside: false });
    expect(boundaryIn('/x', null)).toEqual({ shared: '', rest: '/x', isOutside: false });
  });
});

describe('what changed while a person was reading', () => {
  it('is named, and never nothing', () => {
    const before = requestSample({ paths: [{ raw: 'a', canonical: '/a', access: 'read', origin: 'argument' }] });
    const now = requestSample({ paths: [{ raw: 'a', canonical: '/b', access: 'read', origin: 'argument' }], risk: { level: 'high', facts: [] } });
    expect(differencesOf(before, now)).toEqual(['No longer: read `/a`', 'Now: read `/b`', 'Risk was low, is high.']);
    expect(differencesOf(before, before)).toHaveLength(1);
  });
});

describe('notes to choose from', () => {
  it('are one’s own first, each once, then some that fit often', () => {
    const denied = (note: string) => settledSample({}, { status: 'denied', note });
    const shown = noteSuggestions([denied('Use the script.'), denied('Use the script.'), settledSample({}, { note: 'An allow.' })]);
    expect(shown[0]).toBe('Use the script.');
    expect(shown).not.toContain('An allow.');
    expect(new Set(shown).size).toBe(shown.length);
  });
});

describe('directories as rows', () => {
  it('stand below what they lie in and say which wins', () => {
    const rows = accessRows(ROOT, [
      { path: `${ROOT}/migrations`, mode: 'read', origin: 'session' },
      { path: `${ROOT}/docs`, mode: 'write', origin: 'flag' },
      { path: '/data', mode: 'read', origin: 'default', source_path: '~/d' },
    ]);
    expect(rows.map(({ path, mode, note }) => [path, mode, note])).toEqual([
      ['/data', 'read', 'entered as ~/d'],
      [ROOT, 'write', 'root of the session'],
      [`${ROOT}/docs`, 'write', `says the same as ${ROOT}`],
      [`${ROOT}/migrations`, 'read', `more specific than ${ROOT}, so this one wins`],
    ]);
  });

  it('leave the built-in root out when an entry says otherwise', () => {
    expect(accessRows(ROOT, [{ path: ROOT, mode: 'read' }]).map(({ mode, from }) => [mode, from])).toEqual([['read', 'added']]);
  });
});

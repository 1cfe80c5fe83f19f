import { describe, expect, it } from 'vitest';
import { awkConcern, sedConcern } from './shell-scripts';

describe('a program of awk', () => {
  const harmless = [
    '{print $1}',
    '/a|b/ { print $2 }',
    '$3 > 5 && $1 ~ /x/ { n++ } END { print n/2 }',
    'BEGIN { FS = ":" } { printf "%s\\n", $1 }',
    '{ print ($1 + $2) / 2 }',
    '{ print a[1] / 2 "/" b }',
    'NR==1, /end/ { print }',
    '# system("x")\n{ print }',
    '{ print "system(x) | sh > f" }',
    '{ x = y || z; print x }',
    '{ if ($1 >= 3) print }',
    '!seen[$0]++',
    '{ print length($0) / 2 }',
    '/[/|]/ { print }',
  ];
  it.each(harmless)('is harmless: %j', (program) => {
    expect(awkConcern(program)).toBeNull();
  });

  const harmful = [
    'BEGIN { system("rm x") }',
    'BEGIN{system ("rm x")}',
    '{ print | "sh" }',
    '{ "rm x" | getline }',
    '{ print |& "sh" }',
    '{ print > "/etc/x" }',
    '{ printf "%s", $1 >> f }',
    '{ getline < "/etc/passwd" }',
    '@load "filefuncs"',
    '{ f = "system"; @f("rm x") }',
    // A slash may divide or begin a regular expression: both readings have to be harmless.
    '{ x++ / system("rm x") / 1 }',
    '{ y = (1) / system("rm x") / 1 }',
    'a\n/x/ { system("y") }',
    '{ print 1 \\\n / system("rm x") / 2 }',
    `{ ${'x++ / 1; '.repeat(40)} }`,
  ];
  it.each(harmful)('needs a look: %j', (program) => {
    expect(awkConcern(program)).not.toBeNull();
  });
});

describe('a script of sed', () => {
  const harmless = [
    's/a/b/g',
    's,/a/,/b/,',
    '1,5p',
    '/foo/d',
    '$!N;P;D',
    's/a/b/;s/c/d/2',
    'y/abc/xyz/',
    '/a/,/b/{s/x/y/;p}',
    '1~2d',
    '/x/I!s/a/e/',
    'i\\\nwx',
    'a hello e w',
    ':a;N;$!ba;s/\\n/ /g',
    '\\,x,d',
    '5q',
    's/[0-9]*/w/',
    '# e rm',
    's/a\\/e/b/',
    's/\\(a\\)/\\1e/p',
    '',
  ];
  it.each(harmless)('is harmless: %j', (script) => {
    expect(sedConcern(script)).toBeNull();
  });

  const harmful = [
    'e rm x',
    '1e rm x',
    '/a/e',
    's/a/b/e',
    's/a/b/ge',
    's/a/b/w /etc/x',
    'w /etc/x',
    'W f',
    'r /etc/passwd',
    'R f',
    '/a/{\ne rm\n}',
    's/a/b',
    'y/a/',
    's/[/]/x/e',
    's/a/b/k',
    'v',
  ];
  it.each(harmful)('needs a look: %j', (script) => {
    expect(sedConcern(script)).not.toBeNull();
  });
});

// Stands in for Electron's default app in a runtime that has none: starts the app folder or file that the command line
// names. Understands what the tools around Electron pass: -r/--require (Playwright's loader), -v/--version, switches.
const { readFileSync, statSync } = require('node:fs');
const path = require('node:path');
const Module = require('node:module');
const { app } = require('electron');

const preloaded = [];
let named = null;
const given = process.argv.slice(1);
for (let index = 0; index < given.length && named === null; index += 1) {
  const argument = given[index];
  if (argument === '-v' || argument === '--version') {
    process.stdout.write(`v${process.versions.electron}\n`);
    process.exit(0);
  } else if (argument === '-r' || argument === '--require') {
    index += 1;
    preloaded.push(given[index]);
  } else if (!argument.startsWith('-')) {
    named = argument;
  }
}
if (named === null) {
  process.stderr.write('usage: electron [-r module] [switches] <app folder or file> [arguments]\n');
  process.exit(1);
}
if (preloaded.length > 0) Module._preloadModules(preloaded);

Object.defineProperty(process, 'defaultApp', { configurable: false, enumerable: true, value: true });
const target = path.resolve(named);
let entry = target;
if (statSync(target).isDirectory()) {
  const manifest = JSON.parse(readFileSync(path.join(target, 'package.json'), 'utf8'));
  if (manifest.version) app.setVersion(manifest.version);
  app.setName(manifest.productName ?? manifest.name ?? 'Electron');
  app.setDesktopName?.(manifest.desktopName ?? `${manifest.name}.desktop`);
  app.setAppPath(target);
  entry = path.join(target, manifest.main ?? 'index.js');
}
if (entry.endsWith('.mjs')) {
  process.stderr.write(`Electron ${process.versions.electron} cannot start an ES module as its main file: ${entry}\n`);
  process.exit(1);
}
Module._load(entry, Module, true);
